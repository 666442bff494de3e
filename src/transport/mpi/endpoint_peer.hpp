// One rank that is reached over MPI, as the endpoint sees it: what may be sent to it and what is
// owed to it.
//
// Owned by the endpoint, which receives and moves the data. Thread-safety: none; used by the rank's
// own thread.
#pragma once

#include <tasuki/detail/transport/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/mpi/endpoint.hpp"

namespace tasuki::transport::mpi {

class Endpoint::Peer final : public Lane {
 public:
  Peer(Endpoint& endpoint, int rank) noexcept
      : endpoint_(endpoint), rank_(rank), credits_(endpoint.window_) {}

  std::byte* acquire(std::size_t bytes) override;
  void commit(std::size_t bytes) override;
  bool send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override;
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override;
  bool has_bulk_room() const noexcept override {
    return under_way_ < endpoint_.early_most_ && !endpoint_.outgoing_.is_full();
  }
  int post_receive(std::span<std::byte> destination, Completion* arrived) override;
  int post_single_receive(std::span<std::byte> destination, Completion* arrived) override;
  void post_again(int posted_receive, std::byte* destination) override;
  void take_back(int posted_receive) override;
  bool send_to_posted(int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override;

  /// Sends a frame from a slot, with what is owed.
  void post(std::int32_t slot, FrameKind kind, std::size_t payload_bytes);
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
  /// The token of a bulk arrival. Requires: there is room for it.
  std::uint64_t note_announced(const Announcement& announcement);

 private:
  /// Token of arrivals without data, which need no entry.
  static constexpr std::uint64_t empty_token = ~std::uint64_t{0};

  void note_owed();
  int take_bulk_tag() noexcept;

  Endpoint& endpoint_;
  int rank_;
  std::uint32_t credits_;          ///< Frames that may still be sent to it.
  std::uint32_t owed_frames_ = 0;  ///< Frames released here and not yet told.
  std::uint32_t owed_bulk_ = 0;    ///< Bulk data received here and not yet told.
  std::uint32_t under_way_ = 0;    ///< Bulk transfers to it that it has not yet received.
  std::uint32_t next_bulk_ = 0;    ///< Of the next transfer to it, for the tag; below tag_count_.
  std::int32_t open_ = SendSlots::none;
  bool is_credit_due_ = false;  ///< It is in credit_due_.
};

inline Endpoint::Peer& Endpoint::peer(int rank) noexcept {
  return peers_[static_cast<std::size_t>(rank)];
}

}  // namespace tasuki::transport::mpi
