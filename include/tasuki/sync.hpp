// Sync: an unbounded FIFO of values between fibers of one rank, writable from any rank.
//
// Many readers and many writers; readers that find it empty wait as fibers and are served in the
// order they came. Other ranks write to it through a `GlobalPtr<Sync<T>>`. What is stored in it is
// the program's own memory: nothing bounds it but the program.
//
// Thread-safety: fibers of its own rank only; remote ranks through `write(pointer, value)`.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/global_ptr.hpp>
#include <utility>

namespace tasuki {

/// Values in the order in which they were written. Example: examples/sync.cpp
///     tasuki::Sync<int> queue;
///     queue.write(7);
///     const std::size_t count = queue.size();
///     while (!queue.empty()) std::printf("%d\n", queue.read());
template <class T>
class Sync {
 public:
  Sync() = default;
  Sync(const Sync&) = delete;
  Sync& operator=(const Sync&) = delete;

  void write(T value) {
    values_.push_back(std::move(value));
    if (!waiting_.empty()) promise_to_first();
  }
  /// Takes the oldest value; waits while there is none that is not promised to an earlier reader.
  T read() {
    const auto oldest = wait_for_value();
    T value = std::move(*oldest);
    values_.erase(oldest);
    return value;
  }
  /// A copy of the oldest value, which stays; waits like `read`.
  ///     tasuki::Sync<int> queue;
  ///     queue.write(7);
  ///     const int seven = queue.peek();  // as the next read() returns
  T peek() {
    T value = *wait_for_value();
    // The value stays, so the reader behind us can have it too.
    if (!waiting_.empty() && values_.size() > promised_count_) promise_to_first();
    return value;
  }
  /// Values stored that no waiting reader has been promised.
  std::size_t size() const noexcept { return values_.size() - promised_count_; }
  bool empty() const noexcept { return size() == 0; }

 private:
  /// Returns: the oldest value that is not promised to an earlier reader.
  auto wait_for_value() {
    if (values_.size() > promised_count_) {
      return values_.begin() + static_cast<std::ptrdiff_t>(promised_count_);
    }
    runtime::Waiter reader;
    runtime::Waits::current().wait_in(waiting_, reader, {fiber::WaitKind::sync_read, -1, this});
    --promised_count_;
    return values_.begin();  // readers run in the order in which they were promised values
  }
  void promise_to_first() {
    ++promised_count_;
    runtime::Waits::current().wake_first(waiting_);
  }

  std::deque<T> values_;
  runtime::WaitQueue<> waiting_;
  std::size_t promised_count_ = 0;  ///< Values whose reader is ready but has not run yet.
};

/// Writes to a Sync of any rank (one-way).
///     tasuki::Sync<int> queue;
///     tasuki::write(tasuki::global_ptr(&queue), 7);
///     const int seven = queue.read();
template <class T, class Value>
void write(GlobalPtr<Sync<T>> pointer, Value&& value) {
  const Address<Sync<T>> there = runtime::object_of(pointer, "writing to a Sync");
  tasuki::post(
      pointer.rank(), [](Address<Sync<T>> sync, T item) { sync.pointer->write(std::move(item)); },
      there, T(std::forward<Value>(value)));
}
/// Reads from a Sync of any rank; waits for a value.
///     tasuki::Sync<int> queue;
///     queue.write(7);
///     const int seven = tasuki::read(tasuki::global_ptr(&queue));
template <class T>
T read(GlobalPtr<Sync<T>> pointer) {
  const Address<Sync<T>> there = runtime::object_of(pointer, "reading from a Sync");
  return tasuki::invoke(
      pointer.rank(), [](Address<Sync<T>> sync) { return sync.pointer->read(); }, there);
}

/// `pointer.write(value)` and `pointer.read()` for a Sync: its own operations, called remotely.
///     tasuki::Sync<int> queue;
///     const auto pointer = tasuki::global_ptr(&queue);
///     if (!pointer.is_null() && pointer.rank() == tasuki::rank()) pointer.raw()->write(7);
///     pointer.write(8);
///     const int seven = pointer.read();
template <class T>
class GlobalPtr<Sync<T>> {
 public:
  GlobalPtr() = default;
  GlobalPtr(int rank, Sync<T>* address) noexcept
      : rank_(rank), negated_(-reinterpret_cast<std::uintptr_t>(address)) {}
  int rank() const noexcept { return rank_; }
  bool is_null() const noexcept { return negated_ == 0; }
  explicit operator bool() const noexcept { return !is_null(); }
  Sync<T>* raw() const noexcept { return reinterpret_cast<Sync<T>*>(-negated_); }
  template <class Value>
  void write(Value&& value) const {
    tasuki::write(*this, std::forward<Value>(value));
  }
  T read() const { return tasuki::read(*this); }
  GlobalPtr operator+(std::ptrdiff_t count) const { return {rank_, raw() + count}; }
  friend bool operator==(const GlobalPtr&, const GlobalPtr&) = default;
  friend std::strong_ordering operator<=>(const GlobalPtr& a, const GlobalPtr& b) noexcept {
    if (a.rank_ != b.rank_) return a.rank_ <=> b.rank_;
    return b.negated_ <=> a.negated_;
  }

 private:
  std::int32_t rank_ = -1;
  std::uintptr_t negated_ = 0;  ///< As in other global pointers.
};

}  // namespace tasuki
