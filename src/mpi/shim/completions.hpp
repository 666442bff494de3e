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

/// None where the arguments are wrong, so that MPI says so.
std::vector<record::Word> words_of(const MPI_Request* requests, int count);

class Completions {
 public:
  /// `words` are the requests, as words_of returns them.
  /// Requires: `call` is true.
  Completions(Call& call, std::vector<record::Word> words);

  /// Request `index` has completed, and its handle is `now`.
  void completed(std::size_t index, MPI_Request now, const MPI_Status& status);

  /// What a call for one request has returned, or one for any of an array. Arguments may be wrong
  /// where `code` is an error.
  void one_ended(int code, const MPI_Request* request, const MPI_Status& status);
  void any_ended(int code, const MPI_Request* requests, const int* index, const MPI_Status& status);
  /// What a call for all of `count` requests has returned: `code`, or one for each status.
  void all_ended(int code, const MPI_Request* requests, const MPI_Status* statuses, int count);
  /// The same of a call for those that have completed.
  void some_ended(int code, const MPI_Request* requests, const int* indices,
                  const MPI_Status* statuses, const int* done_count);

 private:
  void note_what_is_waited_for();
  void ended(int code, std::size_t index, MPI_Request now, const MPI_Status& status);
  /// Request `index` has no result. If it has ended by an error, its handle is null `now`.
  void failed(std::size_t index, MPI_Request now);

  Call& call_;
  std::vector<record::Word> words_;
  /// What was known of them as the call began, with number 0 where none was active: another thread
  /// may start a request with the same handle as soon as MPI has completed this one.
  std::vector<record::Request> known_;
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
