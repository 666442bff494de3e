// A queue of fibers that wait for one thing, in the order in which they came: how every fiber of
// the runtime waits, be it for a future, a Sync, room in a channel or a condition on memory.
//
// An entry lives on its fiber's own stack, so that waiting allocates nothing. Used by way of
// `Waits`. Thread-safety: none; the rank's own thread.
#pragma once

namespace tasuki::fiber {
struct Fiber;
}

namespace tasuki::runtime {

/// A fiber that waits, in at most one queue.
struct Waiter {
  fiber::Fiber* fiber = nullptr;
  Waiter* previous = nullptr;
  Waiter* next = nullptr;  ///< nullptr: in no queue.

  bool is_queued() const noexcept { return next != nullptr; }
};

/// Entry: a Waiter, or derived from it. A circle, of which the queue knows the first.
template <class Entry = Waiter>
class WaitQueue {
 public:
  bool empty() const noexcept { return first_ == nullptr; }
  /// Returns: the entry that has waited longest, or nullptr.
  Entry* first() const noexcept { return static_cast<Entry*>(first_); }
  /// Returns: the entry behind `entry`, or nullptr.
  Entry* after(const Entry& entry) const noexcept {
    return entry.next == first_ ? nullptr : static_cast<Entry*>(entry.next);
  }
  /// The same from the other end.
  Entry* last() const noexcept {
    return first_ == nullptr ? nullptr : static_cast<Entry*>(first_->previous);
  }
  Entry* before(const Entry& entry) const noexcept {
    return &entry == first_ ? nullptr : static_cast<Entry*>(entry.previous);
  }
  /// Requires: `entry` is in no queue.
  void add(Entry& entry) noexcept {
    if (first_ == nullptr) {
      entry.previous = entry.next = &entry;
      first_ = &entry;
      return;
    }
    entry.previous = first_->previous;
    entry.next = first_;
    first_->previous->next = &entry;
    first_->previous = &entry;
  }
  /// Requires: `entry` is in this queue.
  void remove(Waiter& entry) noexcept {
    if (entry.next == &entry) {
      first_ = nullptr;
    } else {
      if (first_ == &entry) first_ = entry.next;
      entry.previous->next = entry.next;
      entry.next->previous = entry.previous;
    }
    entry.next = nullptr;
  }

 private:
  Waiter* first_ = nullptr;
};

}  // namespace tasuki::runtime
