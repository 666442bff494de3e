// examples/pipeline.cpp
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <vector>

// Each element follows from those above, on the left, and between: a rank, which has some columns,
// can do a row when the rank on its left has done it. So rows go through the ranks as through a
// pipeline.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr int rows = 1000;
    constexpr int columns = 100;  // of each rank
    const int rank = tasuki::rank();
    tasuki::Sync<double> from_left;
    const auto queues = tasuki::allgather(tasuki::global_ptr(&from_left));

    // The first row and the first column are 0, 1, 2 ...
    std::vector<double> above(columns + 1);  // with the last column of the rank on the left
    std::vector<double> row(above.size());
    for (int i = 0; i <= columns; ++i) above[static_cast<std::size_t>(i)] = rank * columns + i - 1;
    for (int number = 1; number < rows; ++number) {
      if (rank > 0) row[0] = from_left.read();  // waits
      for (std::size_t i = 1; i < row.size(); ++i) {
        const bool is_first_column = rank == 0 && i == 1;
        row[i] = is_first_column ? number : above[i] + row[i - 1] - above[i - 1];
      }
      const auto right = static_cast<std::size_t>(rank) + 1;
      if (right < queues.size()) queues[right].write(row.back());
      above.swap(row);
    }
    // Verified: by the same rule the last element is the sum of its row and its column.
    const double last = tasuki::broadcast(above.back(), tasuki::size() - 1);
    const int expected = rows - 1 + columns * tasuki::size() - 1;
    if (rank == 0) std::printf("last element %.0f, expected %d\n", last, expected);
  });
}
