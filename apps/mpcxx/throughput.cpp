// mpcxx_throughput: the stream by remote writes, from rank 0 to rank 1; see throughput.hpp.
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/tasuki.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "common/tasuki_program.hpp"
#include "mpcxx/throughput.hpp"

namespace {

using namespace tasuki::mpcxx;

double stream(tasuki::GlobalPtr<std::byte> target, const std::byte* data, std::size_t bytes,
              std::size_t writes) {
  tasuki::barrier();
  const std::int64_t start_ns = tasuki::base::now_ns();
  if (tasuki::rank() == 0) {
    for (std::size_t write = 0; write < writes; ++write) target.nwrite(data, bytes);
  }
  tasuki::barrier();
  return static_cast<double>(tasuki::base::now_ns() - start_ns) * 1e-9;
}

int measure(const Effort& effort) {
  if (tasuki::size() < 2) {
    std::fputs("mpcxx_throughput: needs two ranks\n", stderr);
    return 2;
  }
  std::vector<std::byte> data(size_most_bytes + page_bytes);
  auto target = tasuki::new_array<std::byte>(size_most_bytes + page_bytes);
  target += page_in(target.raw()) - target.raw();
  tasuki::broadcast(std::span(&target, 1), 1);
  measure_throughput(effort, tasuki::rank() == 0, [&](std::size_t bytes, std::size_t writes) {
    return stream(target, page_in(data.data()), bytes, writes);
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tasuki::apps::run_on_every_rank(argc, argv, parse_effort, measure);
}
