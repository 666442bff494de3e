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
void add_up(void* const* arguments) {
  const auto rows = *static_cast<const std::int64_t*>(arguments[0]);
  const auto columns = *static_cast<const std::int64_t*>(arguments[1]);
  const auto rows_here = static_cast<std::size_t>(rows / tasuki::size());
  const std::span block(static_cast<const double*>(arguments[2]),
                        rows_here * static_cast<std::size_t>(columns));
  *static_cast<double*>(arguments[4]) = std::accumulate(block.begin(), block.end(), 0.0);
}

constexpr std::array<tasuki::rpc::RoutineEntry, 4> routines = {{
    {"nothing", returns_at_once},
    {"take", returns_at_once},
    {"give", returns_at_once},
    {"sums", add_up},
}};

}  // namespace

int main(int argc, char** argv) {
  return tasuki::run(argc, argv,
                     [] { tasuki::rpc::serve_calls(tasuki::rank(), tasuki::size(), routines); });
}
