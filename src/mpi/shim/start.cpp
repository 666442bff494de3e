// The start of a shim: libtasuki_mpi.so calls it once, before the program's first MPI call.

#include "mpi/entry/entries.hpp"
#include "mpi/record/recorder.hpp"
#include "mpi/shim/fortran.hpp"
#include "mpi/shim/wrappers.hpp"

#include <tasuki/detail/base/settings.hpp>

extern "C" __attribute__((visibility("default"))) void tasuki_mpi_start(
    const tasuki::mpi::entry::Entries& entries) {
  using namespace tasuki::mpi;
  record::recorder().start(shim::function_names());
  namespace setting = tasuki::base::setting;
  const bool acts =
      setting::tuned.is_set() || setting::predict.is_set() || setting::predict_report.is_set();
  if (!record::recorder().is_on() && !acts) return;
  shim::fortran_entries = {entries.symbols, entries.next};
  for (const shim::Wrapper& wrapper : shim::all_wrappers()) {
    // What this MPI lacks stays missing: a program that asks for it gets the answer of its MPI.
    if (entries.next[wrapper.entry] != nullptr) entries.entries[wrapper.entry] = wrapper.address;
  }
}
