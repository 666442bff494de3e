// What is wrong with a call, found before anything of it is compiled: so the compiler's first error
// says it, in a sentence of `Call` and with the user's line, and no other error follows.
//
// Used by the call layer only. Thread-safety: compile-time only.
#pragma once

#include <tasuki/future.hpp>
#include <tasuki/sendable.hpp>
#include <type_traits>
#include <utility>

namespace tasuki::runtime {

enum class CallFault {
  none,
  reference_result,
  address_result,
  smart_pointer_result,
  unserialisable_result,
  capture,
  address_argument,
  smart_pointer_argument,
  unserialisable_argument,
  not_callable,
};

template <class... Dependent>
inline constexpr bool is_one_function = false;
/// What F is in calls if the compiler cannot deduce it.
template <class... Dependent>
struct OverloadedName {
  static_assert(is_one_function<Dependent...>,
                "tasuki: the function of this call is a name of several functions, or of a "
                "template, and it is not known which of them is meant. Call it in a lambda: "
                "[](double x) { return std::sin(x); }.");
  using type = void;
};

/// Its captures, too, are copied byte by byte.
template <class F>
concept SendableFunction = PointerToCode<F> || __is_empty(F) || base::OnlyBytes<F>;

/// What a call of an F returns. The standard's way to ask makes the compiler instantiate more than
/// a call, so only pointers to members are asked about that way.
template <class F, class... Args>
struct ReturnedBy : std::invoke_result<F&, Args...> {};
template <class F, class... Args>
requires requires(F& f) { f(std::declval<Args>()...); }
struct ReturnedBy<F, Args...> {
  using type = decltype(std::declval<F&>()(std::declval<Args>()...));
};

/// The same with its sentence.
template <class F>
struct CaptureCheck {
  static constexpr bool is_allowed = SendableFunction<F>;
  static_assert(is_allowed,
                "tasuki: this function object captures something that is not trivially copyable "
                "(for example a std::string or std::function). Pass it as an argument of the call "
                "instead: arguments may be of any serialisable type.");
};

template <class Result>
inline constexpr bool comes_back = Sendable<Result>;
template <>
inline constexpr bool comes_back<void> = true;

template <class F, class... Args>
constexpr CallFault fault_of_result() {
  using Returned = typename ReturnedBy<F, Args...>::type;
  using Result = typename Outcome<std::decay_t<Returned>>::type;
  if constexpr (std::is_reference_v<Returned>) {
    return CallFault::reference_result;
  } else if constexpr (HoldsAddress<Result>::value) {
    return CallFault::address_result;
  } else if constexpr (!comes_back<Result>) {
    return LacksSmartPointers<Result> ? CallFault::smart_pointer_result
                                      : CallFault::unserialisable_result;
  } else {
    return CallFault::none;
  }
}

/// Whether F can be called is asked last: the answer may need the body of a generic lambda, where
/// the compiler would find errors that are not ours to explain.
template <class F, class... Args>
constexpr CallFault fault_of_call() {
  if constexpr (!CaptureCheck<F>::is_allowed) {
    return CallFault::capture;
  } else if constexpr ((HoldsAddress<Args>::value || ...)) {
    return CallFault::address_argument;
  } else if constexpr (!(Sendable<Args> && ...)) {
    return (LacksSmartPointers<Args> || ...) ? CallFault::smart_pointer_argument
                                             : CallFault::unserialisable_argument;
  } else if constexpr (!requires { typename ReturnedBy<F, Args...>::type; }) {
    return CallFault::not_callable;
  } else {
    return fault_of_result<F, Args...>();
  }
}

/// Stands for the result of a call that does not compile, so that its use adds no further error.
struct NoResult {
  template <class T>
  operator T() const;
};
/// Never called: the same for what returns a T.
template <class T>
T refused();

template <CallFault fault, class F, class... Args>
struct ResultOfCall {
  using type = NoResult;
};
template <CallFault fault, class F, class... Args>
requires(fault < CallFault::capture) struct ResultOfCall<fault, F, Args...> {
  using type = std::decay_t<typename ReturnedBy<F, Args...>::type>;
};

}  // namespace tasuki::runtime
