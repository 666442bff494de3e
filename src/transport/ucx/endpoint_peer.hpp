// One rank that is reached over UCX, as the endpoint sees it: what may be sent to it and what is
// owed to it.
//
// Owned by the endpoint, which receives. There is one for each rank of the job; what it keeps is
// made when something is first sent there or comes from there. Thread-safety: none; used by the
// rank's own thread.
#pragma once

#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/transport/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "transport/ucx/endpoint.hpp"
#include "transport/ucx/frame_order.hpp"

namespace tasuki::transport::ucx {

class Endpoint::Peer final : public Lane {
 public:
  Peer(Endpoint& endpoint, int rank) noexcept : endpoint_(endpoint), rank_(rank) {}

  std::byte* acquire(std::size_t bytes) override;
  void commit(std::size_t bytes) override;
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  bool has_bulk_room() const noexcept override {
    const bool has_credit = state_ == nullptr || state_->under_way < endpoint_.bulk_most_;
    return has_credit && endpoint_.slots_.has_room();
  }
  int post_receive(std::span<std::byte> destination, Completion* arrived) override;
  int post_single_receive(std::span<std::byte> destination, Completion* arrived) override;
  void post_again(int posted_receive, std::byte* destination) override;
  void take_back(int posted_receive) override;
  bool send_to_posted(int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override;

  /// Sends nothing but what is owed. Requires: the slot is one of the reserved.
  void send_credits(std::int32_t slot) { send(slot, FrameKind::credit, 0, {}, nullptr); }
  void take_credits(const FrameHeader& header) {
    State& it = state();
    it.credits += header.frame_credits;
    it.under_way -= header.bulk_credits;
  }
  void owe_frame() {
    ++state().owed_frames;
    note_owed();
  }
  void owe_bulk() {
    ++state().owed_bulk;
    note_owed();
  }
  /// Requires: something has been owed.
  bool is_owed() const noexcept { return state_->owed_frames != 0 || state_->owed_bulk != 0; }
  void end_credit_due() noexcept { state_->is_credit_due = false; }
  /// It has left credit_due_, until there is a way to it.
  void wait_apart() noexcept { state_->waits_apart = true; }
  /// Returns: has it waited apart? It does so no more.
  bool end_waiting_apart() noexcept { return std::exchange(state_->waits_apart, false); }
  FrameOrder<Arrived>& order() { return state().order; }
  std::size_t state_bytes() const noexcept { return state_ == nullptr ? 0 : sizeof(State); }
  bool has_way() const noexcept { return state_ != nullptr && state_->way != nullptr; }
  /// Asks for its address, unless that has been done. Whoever sends does this first, where memory
  /// that lacks loses nothing.
  void ask_for_way();
  /// Makes the way to it; `address` is what its endpoint is reached by. Throws tasuki::error.
  void open_way(std::span<const std::byte> address);
  /// Gives UCX what has been held. Requires: there is a way to it.
  void post_held();
  /// Ends the way to it at once.
  void close();

  /// Of all of them, without what UCX keeps for a way.
  static constexpr base::MemoryAccount account() noexcept {
    return {"UCX: lanes", 0, sizeof(Peer), sizeof(State)};
  }

 private:
  struct State {
    ucp_ep_h way = nullptr;
    FrameOrder<Arrived> order;      ///< Of what comes from it.
    std::uint32_t sequence = 0;     ///< Of the next frame to it.
    std::uint32_t credits = 0;      ///< Frames that may still be sent to it.
    std::uint32_t owed_frames = 0;  ///< Frames released here and not yet told.
    std::uint32_t owed_bulk = 0;    ///< Bulk data received here and not yet told.
    std::uint32_t under_way = 0;    ///< Bulk transfers to it that it has not yet received.
    std::int32_t open = SendSlots::none;
    SendSlots::Queue held;       ///< What waits for its address.
    bool has_asked = false;      ///< For its address.
    bool is_credit_due = false;  ///< It is in credit_due_, or waits apart.
    bool waits_apart = false;    ///< It will be in credit_due_ when there is a way.
  };

  State& state() {
    if (state_ == nullptr) [[unlikely]]
      make_state();
    return *state_;
  }
  void make_state();
  void note_owed();
  void send(std::int32_t slot, FrameKind kind, std::size_t header_bytes,
            std::span<const std::byte> data, Completion* completion);
  /// Gives UCX what is in the slot, or holds it until there is a way to the rank.
  void post_or_hold(std::int32_t slot, const SendSlots::Content& content);
  void post(std::int32_t slot, const SendSlots::Content& content);
  void post_frame(std::int32_t slot, const SendSlots::Content& content);
  void post_data(std::int32_t slot, const SendSlots::Content& content);
  /// Handles what a send of UCX has returned for the slot.
  void follow(ucs_status_ptr_t request, SendSlots::Sending& sending, const char* operation);
  static void on_failure(void* self, ucp_ep_h way, ucs_status_t status);

  Endpoint& endpoint_;
  std::unique_ptr<State> state_;  ///< nullptr: nothing has been sent to it, nor come from it.
  int rank_;
};

inline Endpoint::Peer& Endpoint::peer(int rank) noexcept {
  return peers_[static_cast<std::size_t>(rank)];
}

}  // namespace tasuki::transport::ucx
