// examples/columns.cpp
#include <tasuki/tasuki.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

// Each rank sends the last column of its block to the next rank, and reads scattered elements.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::size_t rows = 4;
    constexpr std::size_t columns = 5;
    const auto blocks = tasuki::new_array<double>(rows * columns, tasuki::world_team());
    const auto counters = tasuki::new_array<std::uint64_t>(1, tasuki::world_team());
    const auto me = static_cast<std::size_t>(tasuki::rank());
    const std::size_t next = (me + 1) % blocks.size();
    double* const mine = blocks[me].raw();
    for (std::size_t i = 0; i < rows; ++i) {
      mine[i * columns + columns - 1] = 10.0 + static_cast<double>(i);
    }

    // `rows` blocks of one element, `columns` apart there and here.
    blocks[next].nwrite_strided_signal(mine + columns - 1, 1, rows, columns, columns,
                                       counters[next]);
    tasuki::wait_signal(counters[me].raw(), 1);
    if (me == 0) std::printf("first column: %.0f to %.0f\n", mine[0], mine[(rows - 1) * columns]);

    const std::array<std::size_t, 3> indices = {15, 4, 0};
    std::array<double, 3> values{};
    tasuki::barrier();
    tasuki::Future<void> read = blocks[next].nread_indexed_async(values.data(), 1, indices);
    read.get();
    if (me == 0) std::printf("%.0f, %.0f, %.0f\n", values[0], values[1], values[2]);
    tasuki::barrier();
    tasuki::delete_(blocks[me]);
    tasuki::delete_(counters[me]);
  });
}
