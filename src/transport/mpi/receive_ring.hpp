// The ring of receives, posted ahead, through which all frames arrive.
//
// Used by the endpoint. Receives from any source match in the order they were posted, so that
// testing the oldest one alone is enough and keeps the order of each source. Only as many are
// posted as frames have lately needed, because MPICH compares whatever arrives with all of them
// (docs/design/collectives-over-mpi.md). A stream has all of them after a few frames.
//
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "transport/mpi/frame.hpp"
#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

class ReceiveRing {
 public:
  /// With 16, streams below 8 KiB over MPICH 4.0 are 5 % slower (`tasuki bench micro --mpi mpich`).
  static constexpr std::size_t receive_count = 32;
  static constexpr std::size_t bytes = receive_count * sizeof(FrameBuffer);

  ReceiveRing(const Functions& functions, void* communicator);
  ~ReceiveRing();
  ReceiveRing(const ReceiveRing&) = delete;
  ReceiveRing& operator=(const ReceiveRing&) = delete;

  /// Is the oldest receive complete? Then `frame` and `status` describe it until `repost`.
  /// Throws tasuki::error.
  bool test();
  /// What `test` or `finish_oldest` said last.
  bool is_complete() const noexcept { return is_complete_; }
  const std::byte* frame() const noexcept { return buffer(head_); }
  const Status& status() const noexcept { return status_; }
  /// Gives the oldest buffer back to MPI. Requires: `test` was true. Throws tasuki::error.
  void repost();

  /// For a blocking wait.
  Request& oldest_request() noexcept { return requests_[head_]; }
  /// MPI has completed the oldest receive; `test` will say so.
  void finish_oldest(const Status& status) noexcept {
    status_ = status;
    is_complete_ = true;
  }

 private:
  static constexpr std::size_t receive_least_count = 2;

  std::byte* buffer(std::size_t index) const noexcept { return buffers_[index].bytes; }
  void post_next();

  const Functions& functions_;
  void* communicator_;
  std::unique_ptr<FrameBuffer[]> buffers_;
  std::vector<Request> requests_;
  std::size_t head_ = 0;
  std::size_t posted_count_ = 0;  ///< From the head on.
  /// Doubles while frames wait to be taken, shrinks while they are waited for.
  std::size_t wanted_count_ = receive_least_count;
  bool has_waited_ = true;  ///< Has the oldest one been tested in vain?
  bool is_complete_ = false;
  Status status_;
};

}  // namespace tasuki::transport::mpi
