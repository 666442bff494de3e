// The backlog of one channel: records for a rank that found no room in the transport, in order, and
// the fibers that wait for room there.
//
// Used by Sender, which moves the records into slots as the transport gives them. A record here
// costs its bytes; a fiber that waits for room costs a stack.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <vector>

namespace tasuki::runtime {

class Backlog {
 public:
  /// A fiber that waits until all records so far have gone and, if `slot_bytes` is not 0, there is
  /// room for so much.
  struct RoomWaiter : Waiter {
    std::uint64_t position = 0;  ///< Its turn comes when so many bytes of records have gone.
    std::size_t slot_bytes = 0;  ///< Room it needs then for what it sends itself; 0: none.
  };

  bool empty() const noexcept { return waiters_.empty() && !has_records(); }
  bool has_records() const noexcept { return begin_ != records_.size(); }
  std::size_t bytes() const noexcept { return records_.size() - begin_; }

  /// Room for a record at the end. Valid until the next call.
  std::byte* append(std::size_t bytes) {
    records_.resize(records_.size() + bytes);
    return records_.data() + records_.size() - bytes;
  }
  /// Waits as a fiber for the turn of a RoomWaiter.
  void wait(Waits& waits, std::size_t slot_bytes, const fiber::WaitReason& reason) {
    RoomWaiter waiter;
    waiter.position = gone_bytes_ + bytes();
    waiter.slot_bytes = slot_bytes;
    if (slot_bytes != 0) ++slot_waiters_count_;
    waits.wait_in(waiters_, waiter, reason);
  }
  /// Is it the first waiter's turn?
  bool is_waiter_due() const noexcept {
    return !waiters_.empty() && waiters_.first()->position <= gone_bytes_;
  }
  const RoomWaiter& first_waiter() const noexcept { return *waiters_.first(); }
  void wake_first(Waits& waits) noexcept {
    if (first_waiter().slot_bytes != 0) --slot_waiters_count_;
    waits.wake_first(waiters_);
  }
  /// Requires: has_records().
  std::size_t first_record_bytes() const noexcept {
    RecordHeader header;
    std::memcpy(&header, records_.data() + begin_, sizeof header);
    return header.bytes();
  }

  /// Moves records to `to` while they fit into `room_bytes` and nobody waits before them.
  /// Returns: their bytes.
  std::size_t move_records(std::byte* to, std::size_t room_bytes) {
    std::size_t moved_bytes = 0;
    while (has_records() && !is_slot_wanted()) {
      const std::size_t record_bytes = first_record_bytes();
      if (record_bytes > room_bytes - moved_bytes) break;
      std::memcpy(to + moved_bytes, records_.data() + begin_, record_bytes);
      begin_ += record_bytes;
      gone_bytes_ += record_bytes;
      moved_bytes += record_bytes;
    }
    compact();
    return moved_bytes;
  }

 private:
  /// Would a further record overtake a fiber that has to send for itself?
  bool is_slot_wanted() const noexcept {
    if (slot_waiters_count_ == 0) return false;
    for (const auto* waiter = waiters_.first(); waiter != nullptr;
         waiter = waiters_.after(*waiter)) {
      if (waiter->position > gone_bytes_) return false;
      if (waiter->slot_bytes != 0) return true;
    }
    return false;
  }
  /// Gives memory back; moves what is left only when at least as much has gone.
  void compact() {
    if (!has_records()) {
      records_.clear();
      if (records_.capacity() > kept_bytes) records_.shrink_to_fit();
    } else if (begin_ >= bytes()) {
      records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(begin_));
    } else {
      return;
    }
    begin_ = 0;
  }

  static constexpr std::size_t kept_bytes = 64 * 1024;

  std::vector<std::byte> records_;
  std::size_t begin_ = 0;  ///< Where the first record that has not gone begins.
  std::uint64_t gone_bytes_ = 0;
  WaitQueue<RoomWaiter> waiters_;
  std::size_t slot_waiters_count_ = 0;
};

}  // namespace tasuki::runtime
