// Linear equations, solved by Gaussian elimination on rows that are dealt out to the ranks in turn:
// the routine of python/tasuki/data/demo/linpack.idl.
#include <tasuki/routines.hpp>
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace {

/// The largest element of a column, and where it is.
struct Pivot {
  double magnitude = -1;
  std::int64_t row = -1;  ///< Of the whole matrix.
};
struct LargerPivot {
  Pivot operator()(const Pivot& a, const Pivot& b) const {
    return a.magnitude >= b.magnitude ? a : b;
  }
};

/// Eliminates without exchanging rows: `pivot_rows_` says in which order they were used.
class Elimination {
 public:
  /// `rows` are this rank's, each of n + 1 elements: the matrix's row and the right side.
  Elimination(std::int64_t n, std::vector<double>& rows)
      : n_(n),
        width_(n + 1),
        rows_(rows),
        is_used_(rows.size() / static_cast<std::size_t>(width_)),
        pivot_row_(static_cast<std::size_t>(width_)) {}

  /// Returns: false if the matrix has elements that are no numbers. Throws if it is singular, on
  /// all ranks.
  bool run() {
    for (std::int64_t k = 0; k < n_; ++k) {
      const Pivot pivot = tasuki::allreduce(find_pivot(k), LargerPivot{});
      if (pivot.magnitude == 0) throw std::runtime_error("the matrix is singular");
      if (!(pivot.magnitude > 0)) return false;
      pivot_rows_.push_back(pivot.row);
      share_row(pivot.row, k);
      eliminate(k);
    }
    return true;
  }

  /// The solution, on all ranks. Requires: run() has returned true.
  std::vector<double> back_substitute() {
    std::vector<double> x(static_cast<std::size_t>(n_));
    for (std::int64_t k = n_ - 1; k >= 0; --k) {
      const std::int64_t row = pivot_rows_[static_cast<std::size_t>(k)];
      const int owner = static_cast<int>(row % tasuki::size());
      double value = 0;
      if (tasuki::rank() == owner) {
        const double* of_row = local_row(row / tasuki::size());
        value = of_row[n_];
        for (std::int64_t j = k + 1; j < n_; ++j) {
          value -= of_row[j] * x[static_cast<std::size_t>(j)];
        }
        value /= of_row[k];
      }
      x[static_cast<std::size_t>(k)] = tasuki::broadcast(value, owner);
    }
    return x;
  }

 private:
  double* local_row(std::int64_t index) { return rows_.data() + index * width_; }
  std::int64_t local_count() const { return static_cast<std::int64_t>(is_used_.size()); }

  Pivot find_pivot(std::int64_t k) {
    Pivot best;
    for (std::int64_t i = 0; i < local_count(); ++i) {
      const double magnitude = std::abs(local_row(i)[k]);
      if (is_used_[static_cast<std::size_t>(i)] || magnitude <= best.magnitude) continue;
      best = {magnitude, i * tasuki::size() + tasuki::rank()};
    }
    return best;
  }

  /// Gives all ranks the pivot's row from column k on.
  void share_row(std::int64_t row, std::int64_t k) {
    const int owner = static_cast<int>(row % tasuki::size());
    const std::span<double> part = std::span(pivot_row_).subspan(static_cast<std::size_t>(k));
    if (tasuki::rank() == owner) {
      const std::int64_t index = row / tasuki::size();
      is_used_[static_cast<std::size_t>(index)] = 1;
      std::copy_n(local_row(index) + k, part.size(), part.begin());
    }
    tasuki::broadcast(part, owner);
  }

  void eliminate(std::int64_t k) {
    for (std::int64_t i = 0; i < local_count(); ++i) {
      if (is_used_[static_cast<std::size_t>(i)]) continue;
      double* row = local_row(i);
      const double factor = row[k] / pivot_row_[static_cast<std::size_t>(k)];
      for (std::int64_t j = k; j < width_; ++j) {
        row[j] -= factor * pivot_row_[static_cast<std::size_t>(j)];
      }
    }
  }

  std::int64_t n_;
  std::int64_t width_;
  std::vector<double>& rows_;
  std::vector<char> is_used_;  ///< Of each local row: was it a pivot's?
  std::vector<double> pivot_row_;
  std::vector<std::int64_t> pivot_rows_;
};

/// x = A^-1 b, of which `a` are this rank's rows. Throws if A is singular.
void solve(std::int64_t n, const double* a, const double* b, double* x) {
  std::vector<double> rows;
  for (std::int64_t row = tasuki::rank(); row < n; row += tasuki::size()) {
    rows.insert(rows.end(), a, a + n);
    rows.push_back(b[row]);
    a += n;
  }
  Elimination elimination(n, rows);
  std::vector<double> solution(static_cast<std::size_t>(n), std::nan(""));
  if (elimination.run()) solution = elimination.back_substitute();
  if (tasuki::rank() == 0) std::ranges::copy(solution, x);
}

constexpr std::array<tasuki::rpc::RoutineEntry, 1> routines = {{
    {"solve",
     [](void* const* arguments) {
       solve(*static_cast<const std::int64_t*>(arguments[0]),
             static_cast<const double*>(arguments[1]), static_cast<const double*>(arguments[2]),
             static_cast<double*>(arguments[3]));
     }},
}};

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv,
                     [] { tasuki::rpc::serve_calls(tasuki::rank(), tasuki::size(), routines); });
}
