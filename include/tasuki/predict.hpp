// `speculate`: calls a function whose result may have been computed before the argument came.
//
// For functions that one rank computes for others, with arguments that follow each other in equal
// steps: rows, blocks, iterations. While the rank is idle it computes the result for the argument
// that it expects. When an argument comes, all of its bytes are compared with the expected ones. If
// they are the same, the result is there already; if not, it is thrown away and computed anew. So
// the program computes the same with and without it.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/world/idle_work.hpp>
#include <tasuki/sendable.hpp>
#include <type_traits>

namespace tasuki {
namespace runtime {

template <class F, class Argument>
constexpr void require_speculable() {
  static_assert(FunctionPointer<F> || std::is_empty_v<F>,
                "tasuki: the function object captures something, which may have changed between "
                "the computation ahead and the call. Pass it as part of the argument instead.");
  static_assert(std::is_invocable_v<F&, const Argument&>,
                "tasuki: the function cannot be called with a const reference to this argument.");
  static_assert(Bytewise<Argument>,
                "tasuki: the argument is compared byte by byte, so it must be trivially copyable "
                "and hold no raw pointer.");
  using Result = std::invoke_result_t<F&, const Argument&>;
  static_assert(!std::is_reference_v<Result> && std::is_move_constructible_v<Result>,
                "tasuki: the result is kept until the argument comes, so it must be a value that "
                "can be moved.");
}

/// Its address names the types.
template <class F, class Argument>
inline constexpr char speculation_type = 0;

template <class F, class Argument>
SpeculationOf<F, Argument>& speculation_of(IdleWork& idle_work, F f) {
  Speculation::Key key{&speculation_type<F, Argument>, 0};
  if constexpr (FunctionPointer<F>) key.function = reinterpret_cast<std::uintptr_t>(f);
  Speculation* known = idle_work.find(key);
  if (known == nullptr) {
    known = &idle_work.add(std::make_unique<SpeculationOf<F, Argument>>(key, f));
  }
  return static_cast<SpeculationOf<F, Argument>&>(*known);
}

}  // namespace runtime

namespace predict {

/// Returns: `f(argument)`, which may have been computed before, while the rank was idle.
///
/// Requires: `f` is pure, which means that its result follows from the argument alone, and that it
/// changes nothing that others see. It is defined for all arguments, because it is also called with
/// some that nobody sends, as with the row after the last row of a matrix.
///
/// If `f` calls Tasuki or throws while it computes ahead, that attempt is dropped, and the call
/// itself does what it would have done anyway. A message that arrives while `f` computes ahead
/// waits for it. With TASUKI_PREDICT `off` or `fixed` nothing is computed ahead; `guarded` stops
/// where that has gained nothing; `always` goes on.
/// Throws what `f` throws, and tasuki::error outside of a rank.
/// Example: examples/speculation.cpp.
template <class F, class Argument>
auto speculate(F f, const Argument& argument) {
  runtime::require_speculable<F, Argument>();
  runtime::IdleWork& idle_work = *runtime::Rank::current().idle_work;
  if (!idle_work.is_on()) return std::invoke(f, argument);
  auto& speculation = runtime::speculation_of<F, Argument>(idle_work, f);
  if (idle_work.commit(speculation, std::as_bytes(std::span(&argument, 1)))) {
    return speculation.take();
  }
  return std::invoke(f, argument);
}

}  // namespace predict
}  // namespace tasuki
