// The bounded pool of buffers from which frames are sent.
//
// Used by the endpoint. A slot is taken, filled, sent, and free again when MPI is done with it.
// Buffers are made when as many are in use at once as never before. The last few are kept for
// frames that the transport itself has to send, so that credits always get through.
//
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/mpi/frame.hpp"
#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

class SendSlots {
 public:
  static constexpr std::int32_t none = -1;

  /// Requires: `most_count` is a multiple of `buffers_added`.
  SendSlots(const Functions& functions, void* communicator, std::size_t most_count)
      : functions_(functions), communicator_(communicator), most_count_(most_count) {}

  /// A free slot for a frame of the layer above, or `none`. Throws tasuki::error (MPI).
  std::int32_t take() { return take_above(reserved_count); }
  /// A free slot for a frame of the transport itself, or `none`. Throws tasuki::error (MPI).
  std::int32_t take_reserved() { return take_above(0); }
  void give_back(std::int32_t slot) { free_.push_back(slot); }
  std::byte* at(std::int32_t slot) noexcept {
    const auto index = static_cast<std::size_t>(slot);
    return buffers_[index / buffers_added][index % buffers_added].bytes;
  }
  /// Sends the first `bytes` of the slot, which is free again by itself. Throws tasuki::error.
  void send(std::int32_t slot, int rank, std::size_t bytes);

  /// Takes back the slots that MPI is done with. Throws tasuki::error.
  void reap();
  bool is_idle() const noexcept { return requests_.empty(); }
  std::size_t made_count() const noexcept { return buffers_.size() * buffers_added; }
  /// For a blocking wait: calls `add(request)` for each send under way.
  template <class Add>
  void for_each_request(Add add) {
    for (Request& request : requests_) add(request);
  }
  /// MPI has completed the send whose request this is. Requires: for_each_request has given it.
  void finish(const Request* request);

 private:
  static constexpr std::size_t reserved_count = 8;
  static constexpr std::size_t buffers_added = 8;  ///< At once.
  /// Buffers that are made before MPI is asked which sends have left: to ask for each is slower.
  static constexpr std::size_t made_unasked_most = 72;

  std::int32_t take_above(std::size_t kept_count);
  std::size_t left_count() const noexcept { return free_.size() + most_count_ - made_count(); }
  void add_buffers();
  /// MPI is done with the send of this index, which another one then has.
  void remove(std::size_t sent_index);

  const Functions& functions_;
  void* communicator_;
  std::size_t most_count_;
  std::vector<std::unique_ptr<FrameBuffer[]>> buffers_;
  std::vector<std::int32_t> free_;
  // What is under way, in parallel: MPI tests many requests in one call.
  std::vector<Request> requests_;
  std::vector<std::int32_t> sending_;
};

}  // namespace tasuki::transport::mpi
