// The requests that a wait or test of the program is given, and what of them has completed.
//
// The wrappers of MPI_Wait and its relatives make one before they call PMPI, as MPI overwrites the
// handles of what completes, and tell it afterwards what has completed.
//
// Thread-safety: each belongs to one thread.
#pragma once

#include "mpi/shim/call.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::shim {

std::vector<record::Word> words_of(const MPI_Request* requests, int count);
/// Of requests as Fortran gives them.
std::vector<record::Word> words_of_fortran(const MPI_Fint* requests, int count);

class Completions {
 public:
  /// `words` are the requests, as words_of returns them.
  /// Requires: `call` is true.
  Completions(Call& call, std::vector<record::Word> words);

  /// Request `index` has completed, and its handle is `now`.
  void completed(std::size_t index, MPI_Request now, const MPI_Status& status);

 private:
  void note_what_is_waited_for();

  Call& call_;
  std::vector<record::Word> words_;
};

/// Statuses for a call of a program that does not want them.
class StatusRoom {
 public:
  /// `given`, or room for `count` statuses where that is nothing.
  StatusRoom(MPI_Status* given, bool is_ignored, int count);
  MPI_Status* statuses() noexcept { return statuses_; }

 private:
  std::vector<MPI_Status> own_;
  MPI_Status* statuses_;
};

/// Persistent requests that the program has started.
void note_started(Call& call, const MPI_Request* requests, int count);
/// A request that the program gives up.
void note_freed(MPI_Request request);
void note_cancelled(MPI_Request request);

}  // namespace tasuki::mpi::shim
