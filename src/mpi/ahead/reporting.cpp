#include "mpi/ahead/reporting.hpp"

#include <sys/resource.h>
#include <tasuki/detail/base/appended_line.hpp>
#include <tasuki/detail/base/settings.hpp>

#include <utility>

namespace tasuki::mpi::ahead {
namespace {

predict::Mode mode_of_process = predict::Mode::off;

/// Of this process, by the program and by the kernel.
double cpu_seconds() noexcept {
  constexpr double us_per_s = 1e6;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  return seconds + static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / us_per_s;
}

}  // namespace

void start_reporting(predict::Mode mode, bool do_threads_call_at_once) {
  mode_of_process = mode;
  detail::is_reporting = base::setting::predict_report.is_set() && !do_threads_call_at_once;
}

void end_reporting() {
  if (!std::exchange(detail::is_reporting, false)) return;
  int rank = 0;
  int ranks_count = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks_count);
  base::append_line(base::setting::predict_report.text(),
                    report().line(rank, ranks_count, mode_of_process, cpu_seconds()));
}

}  // namespace tasuki::mpi::ahead
