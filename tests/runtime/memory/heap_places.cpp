// Where the heaps of a node's ranks lie: at the same addresses on all ranks ("alike"), or elsewhere
// on some because the place was taken ("elsewhere"). Remote memory access works either way.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace tasuki::test {
namespace {

/// Takes all the places that job_file.cpp wishes for, on odd ranks.
void take_places() {
  if (std::stoi(std::getenv("TASUKI_RANK")) % 2 == 0) return;
  constexpr std::uintptr_t first = 0x2000'0000'0000;
  constexpr std::size_t bytes = std::size_t{256} << 36;
  if (::mmap(reinterpret_cast<void*>(first), bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) {
    std::perror("taking the places of heaps");
    std::exit(1);
  }
}

int check(bool are_alike) {
  constexpr std::size_t count = 1000;
  const auto mine = new_array<int>(count);
  const auto next = allgather(mine)[static_cast<std::size_t>((rank() + 1) % size())];
  int wrong_count = (next.local() == next.raw()) == are_alike ? 0 : 1;
  for (int round = 0; round < 10; ++round) {
    for (const std::size_t written : {std::size_t{1}, count}) {
      const std::vector<int> values(written, 100 * rank() + round);
      next.nwrite(values.data(), written);
      std::vector<int> back(written);
      next.nread(back.data(), written);
      if (back != values) ++wrong_count;
      barrier();
      const int previous = (rank() + size() - 1) % size();
      for (std::size_t i = 0; i < written; ++i) {
        if (mine.raw()[i] != 100 * previous + round) ++wrong_count;
      }
      barrier();
    }
  }
  return wrong_count == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tasuki::test

int main(int argc, char** argv) {
  const bool are_alike = argc > 1 && std::string(argv[1]) == "alike";
  if (!are_alike) tasuki::test::take_places();
  return tasuki::run(argc, argv, [=] { return tasuki::test::check(are_alike); });
}
