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
#include <memory>
#include <tasuki/detail/base/memory_account.hpp>
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

  bool empty() const noexcept {
    return queue_ == nullptr || (queue_->waiters.empty() && !queue_->has_records());
  }
  bool has_records() const noexcept { return queue_ != nullptr && queue_->has_records(); }

  /// Room for a record at the end. Valid until the next call.
  std::byte* append(std::size_t bytes) {
    std::vector<std::byte>& records = queue().records;
    records.resize(records.size() + bytes);
    return records.data() + records.size() - bytes;
  }
  /// Waits as a fiber for the turn of a RoomWaiter.
  void wait(Waits& waits, std::size_t slot_bytes, const fiber::WaitReason& reason) {
    Queue& it = queue();
    RoomWaiter waiter;
    waiter.position = it.gone_bytes + it.bytes();
    waiter.slot_bytes = slot_bytes;
    if (slot_bytes != 0) ++it.slot_waiters_count;
    waits.wait_in(it.waiters, waiter, reason);
  }
  /// Is it the first waiter's turn? Requires, as all that follow: not empty().
  bool is_waiter_due() const noexcept {
    return !queue_->waiters.empty() && queue_->waiters.first()->position <= queue_->gone_bytes;
  }
  const RoomWaiter& first_waiter() const noexcept { return *queue_->waiters.first(); }
  void wake_first(Waits& waits) noexcept {
    if (first_waiter().slot_bytes != 0) --queue_->slot_waiters_count;
    waits.wake_first(queue_->waiters);
  }
  std::size_t bytes() const noexcept { return queue_->bytes(); }  ///< Of all records.
  /// Requires: has_records().
  std::size_t first_record_bytes() const noexcept { return queue_->first_record_bytes(); }

  /// Moves records to `to` while they fit into `room_bytes` and nobody waits before them.
  /// Returns: their bytes.
  std::size_t move_records(std::byte* to, std::size_t room_bytes) {
    Queue& it = *queue_;
    std::size_t moved_bytes = 0;
    while (it.has_records() && !it.is_slot_wanted()) {
      const std::size_t record_bytes = it.first_record_bytes();
      if (record_bytes > room_bytes - moved_bytes) break;
      std::memcpy(to + moved_bytes, it.records.data() + it.begin, record_bytes);
      it.begin += record_bytes;
      it.gone_bytes += record_bytes;
      moved_bytes += record_bytes;
    }
    it.compact();
    return moved_bytes;
  }

  static constexpr base::MemoryAccount account() noexcept {
    return {"backlogs", 0, sizeof(Backlog), sizeof(Queue)};
  }

 private:
  static constexpr std::size_t kept_bytes = 64 * 1024;

  struct Queue {
    bool has_records() const noexcept { return begin != records.size(); }
    std::size_t bytes() const noexcept { return records.size() - begin; }
    std::size_t first_record_bytes() const noexcept {
      RecordHeader header;
      std::memcpy(&header, records.data() + begin, sizeof header);
      return header.bytes();
    }
    /// Would a further record overtake a fiber that has to send for itself?
    bool is_slot_wanted() const noexcept {
      if (slot_waiters_count == 0) return false;
      for (const auto* waiter = waiters.first(); waiter != nullptr;
           waiter = waiters.after(*waiter)) {
        if (waiter->position > gone_bytes) return false;
        if (waiter->slot_bytes != 0) return true;
      }
      return false;
    }
    /// Gives memory back; moves what is left only when at least as much has gone.
    void compact() {
      if (!has_records()) {
        records.clear();
        if (records.capacity() > kept_bytes) records.shrink_to_fit();
      } else if (begin >= bytes()) {
        records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(begin));
      } else {
        return;
      }
      begin = 0;
    }

    std::vector<std::byte> records;
    std::size_t begin = 0;  ///< Where the first record that has not gone begins.
    std::uint64_t gone_bytes = 0;
    WaitQueue<RoomWaiter> waiters;
    std::size_t slot_waiters_count = 0;
  };

  Queue& queue() {
    if (queue_ == nullptr) queue_ = std::make_unique<Queue>();
    return *queue_;
  }

  std::unique_ptr<Queue> queue_;  ///< nullptr: there has been room always.
};

}  // namespace tasuki::runtime
