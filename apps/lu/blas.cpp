#include "lu/blas.hpp"

// The names are those of the Fortran routines in the library.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void openblas_set_num_threads(int count);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dlaswp_(const int* n, double* a, const int* lda, const int* k1, const int* k2, const int* ipiv,
             const int* incx);
void dtrsm_(const char* side, const char* uplo, const char* transa, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b,
            const int* ldb);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
}
// NOLINTEND(readability-identifier-naming)

namespace tasuki::lu {
namespace {

constexpr int one = 1;
constexpr double plus_one = 1;
constexpr double minus_one = -1;

bool is_empty(const Matrix& a) noexcept { return a.rows == 0 || a.columns == 0; }

}  // namespace

void use_one_thread() { openblas_set_num_threads(1); }

void factor(Matrix a, std::span<int> pivots) {
  int zero_pivot = 0;
  dgetrf_(&a.rows, &a.columns, a.data, &a.stride, pivots.data(), &zero_pivot);
}

void exchange_rows(Matrix a, std::span<const int> pivots) {
  if (is_empty(a) || pivots.empty()) return;
  const int last = static_cast<int>(pivots.size());
  dlaswp_(&a.columns, a.data, &a.stride, &one, &last, pivots.data(), &one);
}

void solve_unit_lower(Matrix triangle, Matrix a) {
  if (is_empty(a)) return;
  dtrsm_("L", "L", "N", "U", &a.rows, &a.columns, &plus_one, triangle.data, &triangle.stride,
         a.data, &a.stride);
}

void solve_upper(Matrix triangle, Matrix a) {
  if (is_empty(a)) return;
  dtrsm_("L", "U", "N", "N", &a.rows, &a.columns, &plus_one, triangle.data, &triangle.stride,
         a.data, &a.stride);
}

void subtract_product(Matrix a, Matrix b, Matrix c) {
  if (is_empty(c) || a.columns == 0) return;
  dgemm_("N", "N", &c.rows, &c.columns, &a.columns, &minus_one, a.data, &a.stride, b.data,
         &b.stride, &plus_one, c.data, &c.stride);
}

}  // namespace tasuki::lu
