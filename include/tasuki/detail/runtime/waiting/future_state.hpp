// What a future and its promise share: the value or the failure, who waits for it, and what is to
// be run when it is there.
//
// Used by futures (tasuki/future.hpp) and by whatever fulfils them. Counted by hand, without
// atomics. Thread-safety: none; one rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/trivially_copied.hpp>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/detail/runtime/waiting/recycled.hpp>
#include <tasuki/detail/runtime/waiting/wait_queue.hpp>
#include <utility>

namespace tasuki::runtime {

class Continuations;
class FutureCore;
class Waits;

/// A link of a circular list.
struct ContinuationLink {
  ContinuationLink* previous = this;
  ContinuationLink* next = this;
  ContinuationLink() = default;
  ContinuationLink(const ContinuationLink&) = delete;
  ContinuationLink& operator=(const ContinuationLink&) = delete;

  bool is_alone() const noexcept { return next == this; }
  void unlink() noexcept {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
  /// Puts `link`, which is alone, before this one.
  void insert_before(ContinuationLink& link) noexcept {
    link.previous = previous;
    link.next = this;
    previous->next = &link;
    previous = &link;
  }
  /// Is there one other in the list?
  bool is_with_one() const noexcept { return next->next == this && !is_alone(); }
  /// Puts all of this list, which is empty then, before `place`, which is no part of it.
  void move_before(ContinuationLink& place) noexcept {
    if (is_alone()) return;
    next->previous = place.previous;
    previous->next = &place;
    place.previous->next = next;
    place.previous = previous;
    previous = next = this;
  }
};

/// Something to run when a future is fulfilled. It belongs to that future until one of the two is
/// called, once; then to itself. Who unlinks it before has it back.
struct Continuation : ContinuationLink {
  /// Returns: a state that got its value by this and is now to be completed by the caller, with a
  /// reference that goes over to it; or nullptr. So a long chain is run in a loop.
  virtual FutureCore* run() = 0;
  /// The future went away unfulfilled.
  virtual void discard() noexcept = 0;

 protected:
  ~Continuation() = default;
};

/// The part of a future's state that does not depend on its type. A failure that nobody has got
/// when the last reference goes is reported, and ends the job.
class FutureCore : public Recycled {
 public:
  /// Ends a state and frees it. Instead of a virtual destructor, which the compiler would make
  /// for each type: all whose values need no end of their own have one function.
  using Destroy = void (*)(FutureCore* state) noexcept;
  FutureCore(Destroy destroy, std::uint32_t state_bytes) noexcept
      : destroy_(destroy), state_bytes_(state_bytes) {}
  FutureCore(const FutureCore&) = delete;
  FutureCore& operator=(const FutureCore&) = delete;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (let_go()) destroy_(this);
  }
  /// Does anybody but the holder of one reference want to know of it?
  bool is_awaited() const noexcept { return references_ > 1 || !continuations_.is_alone(); }
  /// The program lets go of its future. An exception that is on its way then tells the program that
  /// something has failed, so a failure here is reported and the job goes on.
  void drop() noexcept;
  bool done() const noexcept { return done_; }
  void wait() {
    if (!done_) wait_until_done();
  }
  /// Returns: false if `deadline_ns` (monotonic) passed first.
  bool wait_until(std::int64_t deadline_ns);
  void on_done(Continuation* continuation) {
    if (done_) [[unlikely]]
      return run_at_once(continuation);
    may_be_replaced_ = false;
    continuations_.insert_before(*continuation);
  }
  /// The value or the failure is there: wakes who waits, runs the continuations. When one of them
  /// waits, the poller runs those behind it.
  void complete();
  /// The same for the handler of an answer, after which the dispatcher ends the activity. Calls
  /// `note` and lets one reference go at the end.
  template <class Note>
  void complete_in_handler(Waits& waits, Note note);
  /// The same, but the poller runs all of them: for completions of the transport, which is in the
  /// middle of its work and may be progressed by a fiber that waits for something else.
  void complete_by_poller();
  /// The same in two steps. The first wakes who waits.
  /// Returns: are there continuations, for the second to put into `to_run`?
  bool finish() {
    TASUKI_ASSERT(!done_);
    TASUKI_DEBUG_ASSERT(replace_value_ == nullptr || failure_);
    done_ = true;
    may_be_replaced_ = false;
    if (!waiters_.empty()) wake_waiters();
    return !continuations_.is_alone();
  }
  void move_continuations(ContinuationLink& to_run) noexcept { continuations_.move_before(to_run); }
  void set_failure(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  /// The same with that of `source`, which leaves it to this one.
  void take_failure_of(FutureCore& source) noexcept {
    failure_ = source.failure_;
    reason_ = source.reason_;
    is_heard_ = std::exchange(source.is_heard_, true);
  }
  void fail(std::exception_ptr failure) {
    set_failure(std::move(failure));
    complete();
  }
  /// The failure is known to the program, or need not be.
  void mark_heard() noexcept { is_heard_ = true; }
  void rethrow_failure() {
    if (failure_) [[unlikely]] {
      is_heard_ = true;
      std::rethrow_exception(failure_);
    }
  }
  bool has_succeeded() const noexcept { return done_ && failure_ == nullptr; }
  bool has_failed() const noexcept { return failure_ != nullptr; }
  /// Continuations that read the value, which stays here for its owner meanwhile.
  void add_reader() noexcept {
    may_be_replaced_ = false;
    ++readers_count_;
  }
  void remove_reader() noexcept { --readers_count_; }
  void set_reason(const fiber::WaitReason& reason) noexcept { reason_ = reason; }
  const fiber::WaitReason& reason() const noexcept { return reason_; }
  /// One waits for this only because one waits for `source`, which lives until this is told that
  /// it follows another or none.
  void follow(const FutureCore* source) noexcept {
    reason_.object = source == nullptr ? nullptr : &source->reason_;
    if (!waiters_.empty()) [[unlikely]]
      tell_waiters();
  }

 protected:
  ~FutureCore() {
    if (!is_just_freed()) [[unlikely]]
      end_unheard();
  }
  /// Is there nothing to do at the end of this but to free it?
  bool is_just_freed() const noexcept { return continuations_.is_alone() && failure_ == nullptr; }
  /// Makes another value of the one that has come, before this is done. It may wait, and is not
  /// called for a failure.
  using ReplaceValue = void (*)(FutureCore& state);
  void set_replace_value(ReplaceValue replace) noexcept { replace_value_ = replace; }
  /// For those that `new` has made as it makes objects of the usual alignment.
  static void destroy_plain(FutureCore* state) noexcept;
  bool has_readers() const noexcept { return readers_count_ != 0; }
  /// Returns: was it the last reference?
  bool let_go() noexcept { return --references_ == 0; }
  /// Says why one waits for this from now on, also of those who wait already.
  void set_reason_of_all(const fiber::WaitReason& reason) noexcept {
    reason_ = reason;
    if (!waiters_.empty()) [[unlikely]]
      tell_waiters();
  }

 private:
  void wait_until_done();
  void end_unheard() noexcept;
  void wake_waiters();
  void replace_value(Waits& waits);
  void tell_waiters() noexcept;
  void run_continuations(Continuations& continuations);
  void run_continuations_in_handler(Waits& waits);
  void drop_without_rank() noexcept;
  static void run_at_once(Continuation* continuation);

  const Destroy destroy_;
  const std::uint32_t state_bytes_;  ///< Of the whole state, for `destroy_plain`.
  std::uint32_t references_ = 1;
  std::uint32_t readers_count_ = 0;
  bool done_ = false;

 protected:
  /// Of a SmallState, to whose members it is a word more: there is somebody who may replace the
  /// value, which is not there yet, and nobody has waited for it or asked for it.
  bool may_be_replaced_ = false;

 private:
  bool is_heard_ = false;
  bool was_dropped_by_exception_ = false;
  ReplaceValue replace_value_ = nullptr;
  WaitQueue<> waiters_;
  ContinuationLink continuations_;
  std::exception_ptr failure_;
  fiber::WaitReason reason_{fiber::WaitKind::future};
};

/// Values that need no end of their own, in states as `destroy_plain` takes them.
template <class T>
concept PlainValue = base::OnlyBytes<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__ &&
                     sizeof(T) < std::size_t{1} << 31;

/// What the states of all values have in common that are no SmallValue. The value lies behind it,
/// in memory that whoever makes the state takes along: so the library makes the states of calls of
/// all types in one function. Each call of a further type makes the compiler instantiate what is
/// used of this, so it names little of the standard library.
class TypedCore : public FutureCore {
 public:
  TypedCore(Destroy destroy, std::uint32_t state_bytes) noexcept
      : FutureCore(destroy, state_bytes) {}

  /// Requires: it has no value.
  template <class T, class... Values>
  void put(Values&&... values) {
    auto* const at = reinterpret_cast<std::byte*>(this) + place_bytes(alignof(T));
    ::new (static_cast<void*>(at)) T(static_cast<Values&&>(values)...);
    has_value_ = true;
  }
  /// Afterwards it has no value.
  template <class T>
  void end_value() noexcept {
    if (has_value_) value<T>().~T();
    has_value_ = false;
  }
  /// Requires: it has a value.
  template <class T>
  T take() {
    if (has_readers()) [[unlikely]] {
      return reinterpret_cast<T (*)(const T&)>(copy_)(value<T>());
    }
    return std::move(value<T>());
  }
  template <class T>
  T& value() noexcept {
    auto* const at = reinterpret_cast<std::byte*>(this) + place_bytes(alignof(T));
    return *__builtin_launder(reinterpret_cast<T*>(at));
  }
  /// A continuation is to read the value, so that its owner gets a copy meanwhile.
  template <class T>
  void let_read() noexcept {
    T (*const copy)(const T&) = [](const T& value) { return value; };
    copy_ = reinterpret_cast<void (*)()>(copy);
    add_reader();
  }
  /// Where a value of that alignment begins.
  static constexpr std::size_t place_bytes(std::size_t alignment) noexcept {
    return (sizeof(TypedCore) + alignment - 1) / alignment * alignment;
  }

 private:
  bool has_value_ = false;
  void (*copy_)() = nullptr;  ///< T (*)(const T&). Known where T is copied, if anywhere.
};

/// The state of a value that is no SmallValue.
template <class T>
class TypedState : public TypedCore {
 public:
  /// Ends and frees such a state, and a TypedCore in as much memory.
  static void destroy_typed(FutureCore* core) noexcept {
    auto* const state = static_cast<TypedCore*>(core);
    state->end_value<T>();
    state->~TypedCore();
    if constexpr (alignof(TypedState) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      operator delete (core, sizeof(TypedState), std::align_val_t{alignof(TypedState)});
    } else {
      Recycled::free(core, sizeof(TypedState));
    }
  }
  static constexpr Destroy own_destroy() noexcept {
    if constexpr (PlainValue<T>) {
      static_assert(sizeof(TypedState) <= std::numeric_limits<std::uint32_t>::max());
      return &destroy_plain;
    } else {
      return &destroy_typed;
    }
  }

  TypedState() noexcept : TypedCore(own_destroy(), sizeof(TypedState)) {}
  /// For a derived class, whose objects `destroy` ends.
  explicit TypedState(Destroy destroy) noexcept : TypedCore(destroy, 0) {
    static_assert(sizeof(TypedState) >= place_bytes(alignof(T)) + sizeof(T));
  }
  ~TypedState() { end_value<T>(); }
  ~TypedState() requires PlainValue<T>
  = default;

 private:
  alignas(T) std::byte place_[sizeof(T)];  ///< What TypedCore knows as the place of the value.
};

}  // namespace tasuki::runtime
