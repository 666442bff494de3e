// Collectives with an MPI that takes seconds for each (slow_mpi.cpp): all ranks call them, or, if
// so asked, one rank misses one.
#include <cstdint>
#include <span>
#include <string_view>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/policy.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace {

/// Carries allreduces out by the MPI library, and broadcasts by its messages.
void use_the_mpi_library() {
  using namespace tasuki::coll;
  tasuki::set_policy(before_default_policy(
      {{Collective::allreduce, any_ranks, any_bytes, "native", "", "test"},
       {Collective::broadcast, any_ranks, any_bytes, "binomial", "", "test"}}));
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_one_missing = argc > 1 && std::string_view(argv[1]) == "one_rank_misses";
  return tasuki::run(argc, argv, [&] {
    use_the_mpi_library();
    tasuki::Sync<int> never;
    if (is_one_missing && tasuki::rank() == 1) return never.read();
    std::vector<std::int64_t> values(20'000, tasuki::rank() + 1);
    if (!is_one_missing) tasuki::broadcast(std::span(values), 0);
    tasuki::allreduce(std::span<const std::int64_t>(values), std::span(values), tasuki::Sum{});
    return values.back() == tasuki::size() ? 0 : 1;
  });
}
