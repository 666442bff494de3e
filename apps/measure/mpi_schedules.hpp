// Tasuki's algorithms inside a plain MPI program, to be measured beside the library's own:
// schedules of the registry, carried out by the library's point-to-point messages. Called by
// mpi_measure_MPI. Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <tasuki/mpi_executor.hpp>

#include <string>
#include <vector>

#include "measure/mpi_ranks.hpp"
#include "measure/request.hpp"

namespace tasuki::measure {

/// Has the request's algorithm the name of a schedule, "schedule:" and the registry's name?
bool is_schedule(const std::string& algorithm);
/// The name without "schedule:".
std::string registry_name(const std::string& algorithm);

/// A Library (sampling.hpp) that has one schedule.
class ScheduleLibrary : public MpiRanks {
 public:
  /// Throws tasuki::error: the registry has no such algorithm, or it no such parameters.
  /// `executor` and `request` outlive the object.
  ScheduleLibrary(mpi::Executor& executor, const Request& request);

  /// Why the schedule is not for the request, or "". The same on all ranks.
  std::string unavailable_because() const;
  /// Requires: available.
  void run(const Request& request, const std::vector<float>& input, std::vector<float>& output,
           int root);

 private:
  mpi::Executor& executor_;
  const coll::AlgorithmDescriptor& algorithm_;
  coll::Parameters parameters_;
  coll::Shape shape_;
};

/// Appends the schedules of the request's collective as `list` tells them.
void add_schedules(apps::Json& algorithms, const Request& request, const coll::Shape& shape);

}  // namespace tasuki::measure
