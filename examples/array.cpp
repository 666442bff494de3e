// examples/array.cpp
#include <tasuki/containers/array.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    using Index = std::span<const std::int64_t>;
    // Rows in blocks: each rank has whole rows, next to each other in its memory.
    tasuki::Array<double> rows({6, 4}, {tasuki::Block{}, tasuki::Whole{}});
    rows.for_all([](Index index, double& element) { element = 10.0 * index[0] + index[1]; });

    // The same by columns, which go round the ranks: one exchange of all with all.
    tasuki::Array<double> columns({6, 4}, {tasuki::Whole{}, tasuki::Cyclic{}});
    columns.assign(rows);
    const auto mine = columns.local();
    const double sum = std::accumulate(mine.begin(), mine.end(), 0.0);
    std::printf("rank %d: %jd columns, sum %.0f\n", tasuki::rank(), columns.local_extent(1), sum);

    // Single elements, wherever they are.
    tasuki::barrier();  // all have computed their sums
    if (tasuki::rank() == 0) columns.at(5, 3) = -1;
    tasuki::barrier();
    const double last = columns.at(5, 3);

    // A file that numpy.load reads, written by all ranks and read into another distribution.
    columns.save_npy("tasuki-columns.npy");
    rows.load_npy("tasuki-columns.npy");
    if (rows.owner(5, 3) == tasuki::rank()) {
      std::printf("%.0f %.0f\n", last, rows.local().back());
    }
    if (tasuki::rank() == 0) std::remove("tasuki-columns.npy");
    tasuki::barrier();
  });
}
