// examples/served_array.cpp
#include <tasuki/routines.h>
#include <tasuki/containers/array.hpp>
#include <tasuki/tasuki.hpp>

#include <cstddef>
#include <cstdint>

// Each rank has got some rows from the client. A column is summed where it is whole.
void running_sums(double* a, double* sums) {
  const tasuki::Array<double> rows(*tasuki_layout(a), a);
  tasuki::Array<double> columns({rows.extent(0), rows.extent(1)},
                                {tasuki::Whole{}, tasuki::Block{}});
  columns.assign(rows);
  const auto mine = columns.local();
  const auto width = static_cast<std::size_t>(columns.local_extent(1));
  for (std::size_t i = width; i < mine.size(); ++i) mine[i] += mine[i - width];
  tasuki::Array<double>(*tasuki_layout(sums), sums).assign(columns);
}

int main(int argc, char** argv) {
  // By the places of the arguments in the interface: rows, columns, a, sums.
  const tasuki_routine routine = {"running_sums", [](void* const* arguments) {
                                    running_sums(static_cast<double*>(arguments[2]),
                                                 static_cast<double*>(arguments[3]));
                                  }};
  return tasuki::run(
      argc, argv, [&] { return tasuki_serve_calls(tasuki::rank(), tasuki::size(), &routine, 1); });
}
