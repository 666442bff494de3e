// The states of futures by the types of their values: small plain values, and nothing, share one.
//
// A state of a small value has room for a function as well. So the future of a call that is given
// away to `then` needs no second object: the answer's handler runs the function and puts its result
// in the place of the value. The two sizes make a state 128 bytes: a function may capture a
// reference and an index. Used by futures and by whatever fulfils them. Thread-safety: none; one
// rank's own thread.
#pragma once

#include <cstddef>
#include <new>
#include <tasuki/detail/base/trivially_copied.hpp>
#include <tasuki/detail/runtime/waiting/future_state.hpp>
#include <type_traits>
#include <utility>

namespace tasuki::runtime {

inline constexpr std::size_t small_value_most_bytes = 16;
inline constexpr std::size_t small_function_most_bytes = 16;

/// What is copied byte by byte and fits a SmallState, or nothing at all.
template <class T>
concept SmallValue = std::is_void_v<T> ||
    (!std::is_reference_v<T> && base::OnlyBytes<T> && sizeof(T) <= small_value_most_bytes &&
     alignof(T) <= alignof(void*));
/// The same of a function.
template <class F>
concept SmallFunction = base::OnlyBytes<F> && sizeof(F) <= small_function_most_bytes &&
                        alignof(F) <= alignof(void*);

/// The state of a future of any SmallValue, and perhaps the function that will replace the value.
class SmallState : public FutureCore {
 public:
  SmallState() noexcept : FutureCore(&destroy_small, 0) {}
  /// For a derived class, whose objects `destroy` ends.
  explicit SmallState(Destroy destroy) noexcept : FutureCore(destroy, 0) {}

  template <SmallValue T, class... Values>
  void put(Values&&... values) {
    ::new (static_cast<void*>(value_)) std::remove_cv_t<T>(std::forward<Values>(values)...);
  }
  /// Requires: it has a value of this type.
  template <SmallValue T>
  T& value() noexcept {
    return *std::launder(reinterpret_cast<T*>(value_));
  }

  /// Who fulfils it gives the value and completes it in the handler of an answer, and does nothing
  /// else with it: so a function may replace the value.
  void let_replace() noexcept { may_be_replaced_ = true; }
  /// May the caller, who holds the future, have the value replaced?
  bool may_be_replaced() const noexcept { return may_be_replaced_; }
  /// `replace` runs when the value is there, and puts another one; it finds `f` by `function`.
  /// Requires: may_be_replaced().
  template <SmallFunction F>
  void replace_by(const F& f, ReplaceValue replace) noexcept {
    ::new (static_cast<void*>(function_)) F(f);
    set_replace_value(replace);
    may_be_replaced_ = false;  // Also while the function runs, which lies here.
  }
  template <SmallFunction F>
  F& function() noexcept {
    return *std::launder(reinterpret_cast<F*>(function_));
  }

 private:
  friend FutureCore;
  void release_without_continuations() noexcept;
  static void destroy_small(FutureCore* core) noexcept;
  static void end_small(SmallState* state) noexcept;

  alignas(void*) std::byte value_[small_value_most_bytes];
  alignas(void*) std::byte function_[small_function_most_bytes];
};
static_assert(sizeof(SmallState) == 128);

template <bool is_small, class T>
struct StateOf {
  using type = TypedState<T>;
};
template <class T>
struct StateOf<true, T> {
  using type = SmallState;
};
/// The state of a future of T, which is a complete type.
template <class T>
using FutureState = typename StateOf<SmallValue<T>, T>::type;

/// Gives a state its value, once. Completing it is another step.
template <class T, class... Values>
void put_value(FutureCore& state, Values&&... values) {
  if constexpr (std::is_void_v<T>) {
    static_assert(sizeof...(Values) == 0, "tasuki: a future of void has no value.");
  } else if constexpr (SmallValue<T>) {
    static_cast<SmallState&>(state).put<T>(static_cast<Values&&>(values)...);
  } else {
    static_cast<TypedCore&>(state).put<T>(static_cast<Values&&>(values)...);
  }
}

/// The value stays there, for others. Requires: it has a value.
template <class T>
T& value_in(FutureCore& state) noexcept {
  if constexpr (SmallValue<T>) {
    return static_cast<SmallState&>(state).value<T>();
  } else {
    return static_cast<TypedCore&>(state).value<T>();
  }
}

/// Hands the value out. Requires: it has one.
template <class T>
T take_value(FutureCore& state) {
  if constexpr (std::is_void_v<T>) {
    return;
  } else if constexpr (SmallValue<T>) {
    // As const: a T that can be copied may have other constructors for what is not.
    return std::as_const(static_cast<SmallState&>(state).value<T>());
  } else {
    return static_cast<TypedCore&>(state).take<T>();
  }
}

/// A continuation is to read the value, so that its owner gets a copy meanwhile.
template <class T>
void let_read(FutureCore& state) noexcept {
  if constexpr (SmallValue<T>) {
    state.add_reader();
  } else {
    static_cast<TypedCore&>(state).let_read<T>();
  }
}

/// Ends the value that is there, if any, so that another can be put.
template <class T>
void end_value(FutureCore& state) noexcept {
  if constexpr (!SmallValue<T>) static_cast<TypedCore&>(state).end_value<T>();
}

}  // namespace tasuki::runtime
