// What MPI_Sendrecv_replace sends: a copy of the buffer, as the message that comes takes its place.
//
// The call that waits by polls makes one. Thread-safety: each belongs to one thread.
#pragma once

#include "mpi/ahead/awaited.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace tasuki::mpi::wait {

class SentCopy {
 public:
  /// Whether MPI can pack so much: it counts what it packs in ints. Arguments may be wrong, which
  /// is MPI's to report.
  static bool can_hold(MPI_Count count, MPI_Datatype datatype) noexcept;

  /// Returns an MPI code. Requires: can_hold.
  int pack(const ahead::Buffer& buffer, MPI_Comm comm);
  /// The copy must live until the request is complete.
  int start_send(int dest, int tag, MPI_Comm comm, MPI_Request* request) const;

 private:
  std::unique_ptr<std::byte[]> bytes_;
  int bytes_count_ = 0;
};

}  // namespace tasuki::mpi::wait
