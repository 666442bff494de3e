// One rank that is reached over UCX, as the endpoint sees it: what may be sent to it and what is
// owed to it.
//
// Owned by the endpoint, which receives. Thread-safety: none; used by the rank's own thread.
#pragma once

#include <tasuki/detail/transport/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/ucx/endpoint.hpp"
#include "transport/ucx/frame_order.hpp"

namespace tasuki::transport::ucx {

class Endpoint::Peer final : public Lane {
 public:
  Peer(Endpoint& endpoint, int rank) noexcept
      : endpoint_(endpoint), rank_(rank), credits_(endpoint.window_) {}

  void set_address(std::vector<std::byte> address) { address_ = std::move(address); }

  std::byte* acquire(std::size_t bytes) override;
  void commit(std::size_t bytes) override;
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  bool has_bulk_room() const noexcept override {
    return under_way_ < endpoint_.bulk_most_ && endpoint_.slots_.has_room();
  }
  int post_receive(std::span<std::byte> destination, Completion* arrived) override;
  int post_single_receive(std::span<std::byte> destination, Completion* arrived) override;
  void post_again(int posted_receive, std::byte* destination) override;
  void take_back(int posted_receive) override;
  bool send_to_posted(int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override;

  /// Sends nothing but what is owed. Requires: the slot is one of the reserved.
  void send_credits(std::int32_t slot) { send(slot, FrameKind::credit, 0, {}, nullptr); }
  void take_credits(const FrameHeader& header) noexcept {
    credits_ += header.frame_credits;
    under_way_ -= header.bulk_credits;
  }
  void owe_frame() {
    ++owed_frames_;
    note_owed();
  }
  void owe_bulk() {
    ++owed_bulk_;
    note_owed();
  }
  bool is_owed() const noexcept { return owed_frames_ != 0 || owed_bulk_ != 0; }
  void end_credit_due() noexcept { is_credit_due_ = false; }
  FrameOrder<Arrived>& order() noexcept { return order_; }
  /// Ends the way to it at once.
  void close();

 private:
  /// UCX's endpoint; made when it is first needed. Throws tasuki::error.
  ucp_ep_h way();
  void note_owed();
  void send(std::int32_t slot, FrameKind kind, std::size_t header_bytes,
            std::span<const std::byte> data, Completion* completion);
  /// Handles what a send of UCX has returned for the slot.
  void follow(ucs_status_ptr_t request, SendSlots::Sending& sending, const char* operation);
  static void on_failure(void* self, ucp_ep_h way, ucs_status_t status);

  Endpoint& endpoint_;
  int rank_;
  std::vector<std::byte> address_;
  ucp_ep_h way_ = nullptr;
  FrameOrder<Arrived> order_;      ///< Of what comes from it.
  std::uint32_t sequence_ = 0;     ///< Of the next frame to it.
  std::uint32_t credits_;          ///< Frames that may still be sent to it.
  std::uint32_t owed_frames_ = 0;  ///< Frames released here and not yet told.
  std::uint32_t owed_bulk_ = 0;    ///< Bulk data received here and not yet told.
  std::uint32_t under_way_ = 0;    ///< Bulk transfers to it that it has not yet received.
  std::int32_t open_ = SendSlots::none;
  bool is_credit_due_ = false;  ///< It is in credit_due_.
};

inline Endpoint::Peer& Endpoint::peer(int rank) noexcept {
  return peers_[static_cast<std::size_t>(rank)];
}

}  // namespace tasuki::transport::ucx
