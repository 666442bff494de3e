// examples/global_pointers.cpp
#include <tasuki/tasuki.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    // Every rank makes an array in its shared heap and tells the others where it is.
    const auto mine = tasuki::new_array<double>(4);
    const std::vector arrays = tasuki::allgather(mine);
    const int next = (tasuki::rank() + 1) % tasuki::size();
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
