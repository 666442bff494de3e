// The pre-posted receives of a rank: receives into the layer above's own memory that are posted
// before anything is sent to them.
//
// Used by the endpoint. A peer that writes the same place again and again then sends nothing but
// the data, as a program of MPI_Send and MPI_Recv would. Few, because every poll tests all of
// them. A single receive is posted again when its owner says where.
//
// Of the others the owner goes on using the memory while the receive is posted, which the MPI
// standard does not allow: it relies on an MPI that touches the buffer only when data come. Seen to
// hold with Open MPI 4 and 5 and MPICH 4 and 5 on one node; they are never outside the heap, which
// stays mapped, and never overlap.
//
// Thread-safety: none.
#pragma once

#include <tasuki/detail/transport/lane.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

class PostedReceives {
 public:
  struct PostedReceive {
    int source = -1;
    std::span<std::byte> destination;
    Completion* arrived = nullptr;
    bool is_single = false;
    /// Nobody's any more; its number may be given to another one.
    bool is_free() const noexcept { return arrived == nullptr; }
  };

  PostedReceives(const Functions& functions, void* communicator);

  /// Returns: its number, or Lane::no_posted_receive if all are in use, or it is too large for
  /// one receive or overlaps another one. Throws tasuki::error (MPI).
  int open(const PostedReceive& posted_receive);
  bool any() const noexcept { return !posted_receives_.empty(); }
  /// Posts a single receive again, into memory of the same size. Requires: its data have come.
  /// Throws tasuki::error.
  void post_again(std::size_t number, std::byte* destination);
  /// Frees a single receive. Requires: nothing is sent to it. Throws tasuki::error.
  void take_back(std::size_t number);
  /// One whose data have come, its receive posted anew if it is not single; nullptr if there is
  /// none. The data that come next may be on their way already. Throws tasuki::error.
  const PostedReceive* take();
  /// Takes all receives back. Throws tasuki::error.
  void close();

  /// For a blocking wait.
  std::size_t count() const noexcept { return posted_receives_.size(); }
  Request& request(std::size_t number) noexcept { return requests_[number]; }
  /// MPI has completed this one's receive; posts it anew if it is not single. Throws tasuki::error.
  const PostedReceive& finish(std::size_t number);

 private:
  void post(std::size_t number);

  const Functions& functions_;
  void* communicator_;
  std::vector<PostedReceive> posted_receives_;
  std::vector<Request> requests_;
};

}  // namespace tasuki::transport::mpi
