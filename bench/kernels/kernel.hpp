// What the kernels of `tasuki bench kernels` have in common, over Tasuki, MPI and YGM: what one
// rank has measured, and the program that finds a kernel by its name and prints one JSON object.
//
// Called by the main of each program. The standard library alone, so that the command can compile
// it with YGM. Thread-safety: the rank's own thread.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tasuki::bench::kernels {

/// What one rank has found. Trivially copyable: it travels to rank 0 as it is.
struct Measured {
  double seconds = 0;            ///< From when all are ready until all is done.
  double processor_seconds = 0;  ///< That this process took meanwhile.
  double operations = 0;         ///< Of this rank.
  bool is_right = false;         ///< The result was checked.
};

/// The wall clock and the processor time of this process since it was made.
class Stopwatch {
 public:
  /// `is_right` is set when the result is checked, which is not timed.
  Measured elapsed(double operations) const {
    const std::chrono::duration<double> wall = Clock::now() - begin_;
    return {wall.count(), processor_seconds() - processor_begin_, operations, false};
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  double processor_begin_ = processor_seconds();
  Clock::time_point begin_ = Clock::now();
};

/// A line of a program's table: `run(size)` measures, `size` being how much of it there is.
template <class Run>
struct Kernel {
  const char* name = nullptr;
  Run run = nullptr;
};

/// What the command line `PROGRAM KERNEL SIZE` asks for.
template <class Run>
struct Request {
  const char* name = nullptr;
  Run run = nullptr;
  std::int64_t size = 0;
};

/// Throws nothing: a kernel that is not in `table`, or a size below 1, ends the program with 2.
template <class Run>
Request<Run> request_of(int argc, const char* const* argv, const std::vector<Kernel<Run>>& table) {
  Request<Run> request;
  for (const Kernel<Run>& kernel : table) {
    if (argc == 3 && std::string_view(kernel.name) == argv[1])
      request = {kernel.name, kernel.run, 0};
  }
  if (argc == 3) request.size = std::strtoll(argv[2], nullptr, 10);
  if (request.run != nullptr && request.size > 0) return request;
  std::fprintf(stderr, "kernels: say KERNEL SIZE; a size is at least 1, and the kernels are:");
  for (const Kernel<Run>& kernel : table) std::fprintf(stderr, " %s", kernel.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

/// One JSON object of the kernel `name`; `all` is by rank. Returns: the exit code; 1 if a result
/// was wrong, which is printed instead.
inline int print(const char* name, const std::vector<Measured>& all) {
  Measured job{0, 0, 0, true};
  for (const Measured& one : all) {
    job.seconds = std::max(job.seconds, one.seconds);
    job.processor_seconds += one.processor_seconds;
    job.operations += one.operations;
    job.is_right = job.is_right && one.is_right;
  }
  if (!job.is_right) {
    std::fprintf(stderr, "kernels: the result of %s is wrong\n", name);
    return 1;
  }
  std::printf("{\"seconds\": %.9g, \"processor_seconds\": %.9g, \"operations\": %.17g}\n",
              job.seconds, job.processor_seconds, job.operations);
  return 0;
}

}  // namespace tasuki::bench::kernels
