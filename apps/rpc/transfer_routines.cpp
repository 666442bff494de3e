// Routines that compute next to nothing, so that the time of a call is that of its data: those of
// python/tasuki/data/bench/transfer.idl, which `tasuki bench rpc` calls.
#include <tasuki/routines.hpp>
#include <tasuki/tasuki.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <span>

namespace {

constexpr void (*returns_at_once)(void* const*) = [](void* const*) {};

/// The arguments that all routines with a matrix begin with.
struct Matrix {
  explicit Matrix(void* const* arguments)
      : rows_here(*static_cast<const std::int64_t*>(arguments[0]) / tasuki::size()),
        columns(*static_cast<const std::int64_t*>(arguments[1])),
        block(static_cast<double*>(arguments[2]), static_cast<std::size_t>(rows_here * columns)) {}

  std::int64_t rows_here;
  std::int64_t columns;
  std::span<double> block;
};

void add_up(void* const* arguments) {
  const Matrix a(arguments);
  *static_cast<double*>(arguments[4]) = std::accumulate(a.block.begin(), a.block.end(), 0.0);
}

void number(void* const* arguments) {
  const Matrix a(arguments);
  auto next = a.block.begin();
  for (std::int64_t i = 0; i < a.rows_here; ++i) {
    const std::int64_t row = tasuki::rank() * a.rows_here + i;
    for (std::int64_t column = 0; column < a.columns; ++column) {
      *next++ = static_cast<double>(row % 1021 + column % 7);
    }
  }
}

constexpr std::array<tasuki::rpc::RoutineEntry, 5> routines = {{
    {"nothing", returns_at_once},
    {"take", returns_at_once},
    {"give", returns_at_once},
    {"sums", add_up},
    {"numbers", number},
}};

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv,
                     [] { tasuki::rpc::serve_calls(tasuki::rank(), tasuki::size(), routines); });
}
