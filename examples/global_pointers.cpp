// examples/global_pointers.cpp
#include <tasuki/tasuki.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    // Every rank makes an array in its shared heap and is told where those of the others are.
    const std::vector arrays = tasuki::new_array<double>(4, tasuki::world_team());
    const int next = (tasuki::rank() + 1) % tasuki::size();
    const auto mine = arrays[static_cast<std::size_t>(tasuki::rank())];
    const auto theirs = arrays[static_cast<std::size_t>(next)];

    theirs[0] = tasuki::rank();  // a remote write
    const double row[2] = {0.5, 0.25};
    (theirs + 1).nwrite(row, 2);
    tasuki::barrier();  // all writes made before it are visible after it
    if (tasuki::rank() == 0) {
      std::printf("from rank %.0f: %.2f\n", mine.read(), *(mine + 1) + *(mine + 2));
    }

    // Atomics work from every rank.
    const auto counter = tasuki::broadcast(
        tasuki::rank() == 0 ? tasuki::new_<std::int64_t>(0) : tasuki::GlobalPtr<std::int64_t>(), 0);
    counter.fetch_add(1);
    tasuki::barrier();
    if (tasuki::rank() == 0) std::printf("all counted: %d\n", counter.read() == tasuki::size());
    tasuki::barrier();
    tasuki::delete_(mine);
  });
}
