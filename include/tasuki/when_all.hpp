// Futures of several results: `when_all` waits for all of them, `when_any` for the first.
//
// Called with futures of the rank. Nothing waits here: both return a future.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tasuki/future.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki {
namespace runtime {

/// Futures that are awaited together; Held makes their values one.
template <class Held>
struct AllDone {
  using Result = typename Held::Result;
  Held held;
  std::size_t missing_count;
  Promise<Result> promise{};

  /// Returns: what is to be completed if it was the last one.
  FutureCore* one_done() {
    if (--missing_count != 0) return nullptr;
    FutureCore* const state = promise.release_state();
    // The first failure stands for all.
    FutureCore* failed = nullptr;
    for (FutureCore* const one : held.states()) {
      if (!one->has_failed()) continue;
      if (failed != nullptr) one->mark_heard();
      if (failed == nullptr) failed = one;
    }
    if (failed == nullptr) return put_result<Result>(state, [this] { return held.take(); });
    state->take_failure_of(*failed);
    return state;
  }
};

/// Tells what all share that one is done.
template <class Held>
class OneDone final : public Continuation, public Recycled {
 public:
  explicit OneDone(std::shared_ptr<AllDone<Held>> all) : all_(std::move(all)) {}
  FutureCore* run() override {
    const std::unique_ptr<OneDone> self(this);
    return all_->one_done();
  }
  void discard() noexcept override { delete this; }

 private:
  std::shared_ptr<AllDone<Held>> all_;
};

/// The future of what `held` makes of the values of its futures once all are done.
template <class Held>
auto after_all(Held held) {
  const auto states = held.states();
  // One more, so that it is not done before all know of it.
  auto all = std::make_shared<AllDone<Held>>(std::move(held), states.size() + 1);
  auto result = all->promise.future();
  for (FutureCore* const state : states) state->on_done(new OneDone<Held>(all));
  complete(all->one_done());
  return result;
}

template <class T>
inline constexpr bool is_tuple = false;
template <class... Ts>
inline constexpr bool is_tuple<std::tuple<Ts...>> = true;

/// What a row of values is to users.
template <class Values>
struct Joined {
  using type = Values;
};
template <>
struct Joined<std::tuple<>> {
  using type = void;
};
template <class T>
struct Joined<std::tuple<T>> {
  using type = T;
};

/// The values of a future, as a row: none of a void, those in a tuple.
template <class Source>
auto take_values(Source& source) {
  if constexpr (std::is_void_v<decltype(source.get())>) {
    source.get();
    return std::tuple<>();
  } else {
    using T = std::remove_cvref_t<decltype(source.get())>;
    if constexpr (is_tuple<T>) {
      return T(source.get());
    } else {
      return std::tuple<T>(source.get());
    }
  }
}

/// Futures of different types, each a Future or a Shared.
template <class... Sources>
struct HeldTogether {
  using Values = decltype(std::tuple_cat(take_values(std::declval<Sources&>())...));
  using Result = typename Joined<Values>::type;

  std::tuple<Sources...> sources;

  std::array<FutureCore*, sizeof...(Sources)> states() const {
    return std::apply(
        [](const auto&... all) {
          return std::array<FutureCore*, sizeof...(Sources)>{all.internal_state()...};
        },
        sources);
  }
  Result take() {
    Values values =
        std::apply([](auto&... all) { return std::tuple_cat(take_values(all)...); }, sources);
    if constexpr (std::tuple_size_v<Values> == 1) {
      return std::get<0>(std::move(values));
    } else if constexpr (std::tuple_size_v<Values> != 0) {
      return values;
    }
  }
};

/// Futures of one type.
template <class T>
struct HeldRow {
  using Result = typename std::conditional_t<std::is_void_v<T>, std::type_identity<void>,
                                             std::type_identity<std::vector<T>>>::type;

  std::vector<Future<T>> futures;

  std::vector<FutureCore*> states() const {
    std::vector<FutureCore*> all;
    for (const Future<T>& future : futures) all.push_back(future.internal_state());
    return all;
  }
  Result take() {
    if constexpr (std::is_void_v<T>) {
      for (auto& future : futures) future.get();
    } else {
      Result values;
      values.reserve(futures.size());
      for (auto& future : futures) values.push_back(future.get());
      return values;
    }
  }
};

/// A future as a forwarding reference has it.
template <class T>
concept AnyFuture = is_future<std::remove_reference_t<T>>;

/// What when_all holds of a future until all are done.
template <class T>
Future<T> hold(Future<T>&& future) {
  return std::move(future);
}
template <class T>
Shared<T> hold(Future<T>& future) {
  return Shared<T>(*future.internal_state());
}

/// The index of the first state that is completed; null ones are left out. Throws tasuki::error if
/// all are null.
Future<std::size_t> first_done(const std::vector<FutureCore*>& states);

}  // namespace runtime

/// Waits for all. The result has their values: nothing of voids, so that completions can be
/// gathered in a loop; the value itself if there is one; a tuple of several, with what is in tuples
/// one by one. Or it has the failure of the first that failed, in argument order, which stands for
/// all. Futures with a name stay as they are and give copies of their values, as for `then`.
///     auto both = tasuki::when_all(tasuki::ready_future(1), tasuki::ready_future(2.5));
///     const auto [one, more] = both.get();
///     tasuki::Future<void> all = tasuki::ready_future();
///     for (int i = 0; i < 3; ++i) all = tasuki::when_all(all, tasuki::ainvoke(0, [] {}));
///     all.get();
template <runtime::AnyFuture... Futures>
auto when_all(Futures&&... futures) {
  if (!(futures.valid() && ...)) runtime::throw_empty_future();
  using Held = runtime::HeldTogether<decltype(runtime::hold(std::forward<Futures>(futures)))...>;
  return runtime::after_all(Held{{runtime::hold(std::forward<Futures>(futures))...}});
}

/// Waits for all of a row of futures of one type. Example: examples/futures.cpp
template <class T>
auto when_all(std::vector<Future<T>> futures) {
  for (const Future<T>& future : futures) {
    if (!future.valid()) runtime::throw_empty_future();
  }
  return runtime::after_all(runtime::HeldRow<T>{std::move(futures)});
}

/// The index of the first that is ready; the futures stay with the caller, who gets their values
/// from there. Empty ones, whose value was already taken, are left out. Throws tasuki::error if
/// all are empty.
///     std::vector<tasuki::Future<int>> answers;
///     for (int i = 0; i < 3; ++i) answers.push_back(tasuki::ainvoke(0, [] { return 42; }));
///     const int first = answers[tasuki::when_any(answers).get()].get();
template <class T>
Future<std::size_t> when_any(std::vector<Future<T>>& futures) {
  std::vector<runtime::FutureCore*> states;
  states.reserve(futures.size());
  for (const Future<T>& future : futures) states.push_back(future.internal_state());
  return runtime::first_done(states);
}

}  // namespace tasuki
