// `speculate`: calls a function whose result may have been computed before the argument came.
//
// For functions that one rank computes for others, with arguments that follow each other in equal
// steps: rows, blocks, iterations. While the rank is idle it computes the result for the argument
// that it expects. When an argument comes, all of its bytes are compared with the expected ones. If
// they are the same, the result is there already; if not, it is thrown away and computed anew. So
// the program computes the same with and without it.
//
// A long function calls `let_messages_in` now and then, so that messages do not wait for what it
// computes ahead.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tasuki/detail/runtime/calls/call_fault.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/sendable.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tasuki {
namespace predict {

/// Whether any bytes are a value of the type, which a guess of them needs: numbers, and arrays,
/// pairs and tuples of them. A program says so of its own class of numbers:
/// Example: template <> inline constexpr bool tasuki::predict::takes_any_bytes<Block> = true;
template <class T>
inline constexpr bool takes_any_bytes = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T, std::size_t Extent>
inline constexpr bool takes_any_bytes<std::array<T, Extent>> = takes_any_bytes<T>;
template <class First, class Second>
inline constexpr bool takes_any_bytes<std::pair<First, Second>> =
    takes_any_bytes<First>&& takes_any_bytes<Second>;
template <class... T>
inline constexpr bool takes_any_bytes<std::tuple<T...>> = (takes_any_bytes<T> && ...);

}  // namespace predict

namespace runtime {

/// Whether `speculate` may compute F of an Argument ahead, with a sentence for each reason why not.
template <class F, class Argument>
struct SpeculationCheck {
  static constexpr bool captures_nothing = FunctionPointer<F> || std::is_empty_v<F>;
  static constexpr bool takes_argument = std::is_invocable_v<F&, const Argument&>;
  static constexpr bool is_comparable = Bytewise<Argument>;
  static constexpr bool is_number = !is_comparable || predict::takes_any_bytes<Argument>;
  static constexpr bool may_throw = !std::is_nothrow_invocable_v<F&, const Argument&>;
  using Result =
      typename std::conditional_t<takes_argument, std::invoke_result<F&, const Argument&>,
                                  std::type_identity<NoResult>>::type;
  static constexpr bool holds_no_address = !HoldsAddress<std::remove_reference_t<Result>>::value;
  static constexpr bool is_movable =
      !std::is_reference_v<Result> && std::is_move_constructible_v<Result>;
  static constexpr bool is_allowed = captures_nothing && takes_argument && is_comparable &&
                                     is_number && may_throw && holds_no_address && is_movable;

  static_assert(captures_nothing,
                "tasuki: the function object captures something, which may have changed between "
                "the computation ahead and the call. Pass it as part of the argument instead.");
  static_assert(takes_argument,
                "tasuki: the function cannot be called with a const reference to this argument.");
  static_assert(is_comparable,
                "tasuki: the argument is compared byte by byte, so it must be trivially copyable "
                "and hold no raw pointer.");
  static_assert(is_number,
                "tasuki: the function is also called with bytes that are guessed, so the argument "
                "must be numbers. If any bytes are a value of this class, say so by "
                "tasuki::predict::takes_any_bytes.");
  static_assert(may_throw,
                "tasuki: what calls Tasuki ahead of its argument throws, and would end the job in "
                "a noexcept function. Take noexcept away.");
  static_assert(holds_no_address,
                "tasuki: the result is kept until the argument comes, so it must not refer to "
                "memory of the function. Return a copy.");
  static_assert(is_movable,
                "tasuki: the result is kept until the argument comes, so it must be a value that "
                "can be moved.");
};

/// Its address names the types.
template <class F, class Argument>
inline constexpr char speculation_type = 0;

template <class F, class Argument>
SpeculationOf<F, Argument>& speculation_of(Speculations& speculations, F f) {
  Speculation::Key key{&speculation_type<F, Argument>, 0};
  if constexpr (FunctionPointer<F>) key.function = reinterpret_cast<std::uintptr_t>(f);
  Speculation* known = speculations.find(key);
  if (known == nullptr) {
    known = &speculations.add(std::make_unique<SpeculationOf<F, Argument>>(key, f));
  }
  return static_cast<SpeculationOf<F, Argument>&>(*known);
}

}  // namespace runtime

namespace predict {

/// For functions given to `speculate`, to be called about every microsecond: if one computes ahead,
/// messages that have arrived are handled, and it goes on when the rank is idle again. In any other
/// call of it nothing happens.
///
/// Throws if the result is not wanted any more, because another argument has come. What is thrown
/// has no name: let it pass, and call this in no noexcept function.
/// Example: examples/speculation.cpp.
inline void let_messages_in() { runtime::Speculations::let_messages_in(); }

/// Returns: `f(argument)`, which may have been computed before, while the rank was idle.
///
/// Requires: `f` is pure, which means that its result follows from the argument alone, and that it
/// changes nothing that others see. It is defined for all arguments, because it is also called with
/// some that nobody sends, as with the row after the last row of a matrix. It needs less stack than
/// a called function has (docs/guide/calls.md), wherever it is called.
///
/// If `f` calls Tasuki or throws while it computes ahead, that attempt is dropped (so it must not
/// catch what Tasuki throws), and the call itself does what it would have done anyway. A message
/// that arrives while `f` computes ahead waits until `f` has ended, or calls let_messages_in. With
/// TASUKI_PREDICT `off` or `fixed` nothing is computed ahead; `guarded` stops where that has gained
/// nothing; `always` goes on.
///
/// Waits as a fiber if the result is just being computed.
/// Throws what `f` throws, and tasuki::error outside of a rank.
/// Example: examples/speculation.cpp.
template <class F, class Argument>
auto speculate(F f, const Argument& argument) {
  if constexpr (!runtime::SpeculationCheck<F, Argument>::is_allowed) {
    return runtime::refused<runtime::NoResult>();
  } else {
    runtime::IdleWork& idle_work = *runtime::Rank::current().idle_work;
    if (!idle_work.is_on()) return std::invoke(f, argument);
    runtime::Speculations& speculations = idle_work.speculations();
    auto& speculation = runtime::speculation_of<F, Argument>(speculations, f);
    if (speculations.commit(speculation, std::as_bytes(std::span(&argument, 1)))) {
      return speculation.take();
    }
    return std::invoke(f, argument);
  }
}

}  // namespace predict
}  // namespace tasuki
