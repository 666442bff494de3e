// An MPI program that forces algorithms of its library and checks whether the settings are again as
// they were: after use, and where an exception came in between. Prints VERIFIED.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>

#include "measure/mpi_algorithms.hpp"

namespace tasuki::measure {
namespace {

const MpiSetting& barrier_setting() {
  for (const char* name : {"coll_tuned_barrier_algorithm", "MPIR_CVAR_BARRIER_INTRA_ALGORITHM"}) {
    if (const MpiSetting* setting = MpiSetting::find(name)) return *setting;
  }
  throw std::runtime_error("no setting for barrier");
}

bool is_asked_for_once() {
  const MpiSetting& setting = barrier_setting();
  return &setting == &barrier_setting() && MpiSetting::find("no such setting") == nullptr;
}

bool is_restored_after_use() {
  const int before = barrier_setting().read();
  for (const MpiAlgorithm& algorithm : mpi_algorithms_of(coll::Collective::barrier)) {
    const ForcedAlgorithm forced(coll::Collective::barrier, algorithm.name, {});
  }
  return barrier_setting().read() == before;
}

/// What the constructor of ForcedAlgorithm does if a later setting cannot be changed.
bool is_restored_after_exceptions() {
  const int before = barrier_setting().read();
  const int other = mpi_algorithms_of(coll::Collective::barrier).back().value;
  bool was_changed = false;
  try {
    ForcedSettings settings;
    settings.force(barrier_setting(), other);
    was_changed = barrier_setting().read() == other && other != before;
    throw std::runtime_error("another setting cannot be changed");
  } catch (const std::runtime_error&) {
    return was_changed && barrier_setting().read() == before;
  }
}

int check_settings() {
  const bool once = is_asked_for_once();
  const bool used = is_restored_after_use();
  const bool thrown = is_restored_after_exceptions();
  const bool is_right = once && used && thrown;
  std::printf("%s: asked once %d, after use %d, after exceptions %d\n",
              is_right ? "VERIFIED" : "FAILED", once, used, thrown);
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace tasuki::measure

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int exit_code = 1;
  try {
    exit_code = tasuki::measure::check_settings();
  } catch (const std::exception& failure) {
    std::printf("FAILED: %s\n", failure.what());
  }
  MPI_Finalize();
  return exit_code;
}
