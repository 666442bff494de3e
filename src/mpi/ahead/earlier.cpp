#include "mpi/ahead/earlier.hpp"

#include <mpi.h>
#include <tasuki/detail/base/settings.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace tasuki::mpi::ahead {
namespace {

std::optional<RecordedRun> wanted_run() {
  const std::string folder = base::setting::predict_earlier.text();
  if (folder.empty()) return std::nullopt;
  int rank = 0;
  int ranks_count = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks_count);
  try {
    return std::optional<RecordedRun>(std::in_place, folder, rank, ranks_count,
                                      number_of(record::word_of(MPI_COMM_WORLD)));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tasuki: nothing is known of an earlier run: %s\n", failure.what());
    return std::nullopt;
  }
}

}  // namespace

RecordedRun* earlier_run() {
  static std::optional<RecordedRun> run = wanted_run();
  return run ? &*run : nullptr;
}

}  // namespace tasuki::mpi::ahead
