// Remote function calls: `invoke` waits for the result, `ainvoke` returns a Future, `post` is
// one-way.
//
// Any rank calls them for any rank, itself included. Functions, lambdas whose captures are
// trivially copyable, and member functions of an object behind a GlobalPtr can be called; nothing
// is registered. The function runs on the target's rank, from its poller: it may call Tasuki and
// wait; what it must not do is compute for long without ever yielding, for that rank serves nobody
// meanwhile. Calls from one rank to another start in the order in which they were made, except
// those too large for one message (see docs/guide/ordering.md).
//
// An argument that converts implicitly to the function's parameter is converted before it is sent:
// a string literal travels as the std::string that the function takes. Only where that makes a
// pointer, span or string_view into the caller's memory a value of its own; else it is refused. Of
// generic lambdas the parameters are not known, so that arguments travel as they are.
//
// What a lambda captures is copied byte by byte, and checked when it is sent: the address of a
// variable on the caller's stack, which is what [&] captures, throws tasuki::error. An address that
// is meant is captured as a GlobalPtr, or passed as an argument by as_address. Addresses of other
// memory are not seen; they dangle on another rank.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <tasuki/detail/runtime/calls/call_failure.hpp>
#include <tasuki/detail/runtime/calls/call_fault.hpp>
#include <tasuki/detail/runtime/calls/capture_check.hpp>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/long_call.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>
#include <tasuki/detail/runtime/calls/send_values.hpp>
#include <tasuki/detail/runtime/calls/sent_value.hpp>
#include <tasuki/future.hpp>
#include <tasuki/remote_error.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tasuki {
namespace runtime {

/// The address that names F in messages to people: the function itself where there is one.
template <class F>
std::uintptr_t name_address(const F& f, Handler handler) {
  if constexpr (FunctionPointer<F>) {
    return reinterpret_cast<std::uintptr_t>(f);
  } else {
    return reinterpret_cast<std::uintptr_t>(handler);
  }
}

/// The answer to a call is here, and handled.
inline void note_answer(Rank& self, int source) noexcept {
  ++self.traffic.with(source).done;
  --self.traffic.awaited_answers_count;
}

template <class Result>
void handle_result(Rank& self, int source, Reader& reader) {
  const ReplyTo<FutureState<Result>> call(reader.read<ReplyToken>());
  if constexpr (std::is_void_v<Result>) {
    call->set_value();
  } else {
    try {
      call->put(Codec<Result>::read(self.sender.modules(), reader));
    } catch (...) {
      call->set_failure(std::current_exception());
    }
    call->complete();
  }
  note_answer(self, source);
}

/// How F travels: function pointers by code address, captures by their bytes, nothing if empty.
template <class F>
struct FunctionValue {
  F f;
};
template <class F>
struct Codec<FunctionValue<F>> {
  static constexpr bool fixed = true;
  static constexpr std::size_t bytes = std::is_empty_v<F> ? 0 : sizeof(F);
  static const F* encode(ModuleTable&, const FunctionValue<F>& value) noexcept { return &value.f; }
  static void write(Writer& to, const F* f) noexcept {
    if constexpr (bytes != 0) to.write_bytes(f, sizeof(F));
  }
};
template <PointerToCode F>
struct Codec<FunctionValue<F>> {
  static constexpr bool fixed = true;
  static constexpr std::size_t bytes = Codec<F>::bytes;
  static auto encode(ModuleTable& modules, const FunctionValue<F>& value) {
    return Codec<F>::encode(modules, value.f);
  }
  static void write(Writer& to, const auto& encoded) noexcept { Codec<F>::write(to, encoded); }
};

/// Everything about calls of one F for which Args travel: what is wrong with them, their result,
/// how they are sent, and the two handlers that run them on the target. Whoever calls asks for
/// `is_allowed` before anything else, and does nothing more if it is false.
template <class F, class... Args>
struct Call {
  static constexpr CallFault fault = fault_of_call<F, Args...>();
  static constexpr bool is_allowed = fault == CallFault::none;
  static_assert(fault != CallFault::address_argument,
                "tasuki: an argument of this call is or holds a raw pointer, reference, span or "
                "string_view, which means nothing on another rank. Send the value itself (for "
                "example std::string or std::vector), a GlobalPtr, or as_address(pointer) if the "
                "number is what you mean.");
  static_assert(fault != CallFault::address_result,
                "tasuki: the result of this function is or holds a raw pointer, reference, span or "
                "string_view, which means nothing on another rank. Return the value itself, a "
                "GlobalPtr, or as_address(pointer) if the number is what you mean.");
  static_assert(fault != CallFault::unserialisable_argument &&
                    fault != CallFault::unserialisable_result,
                "tasuki: an argument or the result of this call cannot be serialised. Make its "
                "type trivially copyable or give it template <class Archive> void "
                "serialize(Archive& archive) { archive(members...); } (cereal's convention).");
  static_assert(fault != CallFault::smart_pointer_argument &&
                    fault != CallFault::smart_pointer_result,
                "tasuki: an argument or the result of this call is or holds a smart pointer. They "
                "travel with what they point to, where you #include <cereal/types/memory.hpp>.");
  static_assert(fault != CallFault::not_callable,
                "tasuki: the function cannot be called with these arguments. They arrive as values "
                "of their own on the other rank, so a parameter must be T or const T&, not T&.");
  static_assert(fault != CallFault::reference_result,
                "tasuki: this function returns a reference, which means nothing on another rank. "
                "Return the value.");
  using Returned = typename ResultOfCall<fault, F, Args...>::type;
  using Result = typename Outcome<Returned>::type;

  template <class Function, class... Arguments>
  static void post(int rank, Function&& f, Arguments&&... arguments) {
    Rank& self = Rank::current();
    self.check_rank(rank, "post");
    check_captures<F>(self, f, "post", &run_one_way);
    self.traffic.with(rank).begin([&] {
      send_values(self.sender, rank, &run_one_way, FunctionValue<F>{std::forward<Function>(f)},
                  sent_value<Args>(std::forward<Arguments>(arguments))...);
    });
  }

  /// What a caller that waits may leave where it is needs a form of its own.
  static constexpr RecordPurpose awaited =
      (RowOfElements<Args> || ...) ? RecordPurpose::awaited_call : RecordPurpose::call;

  template <RecordPurpose purpose = RecordPurpose::call, class Function, class... Arguments>
  static Future<Result> ask(int rank, Function&& f, Arguments&&... arguments) {
    Rank& self = Rank::current();
    self.check_rank(rank, "ainvoke");
    check_captures<F>(self, f, "ainvoke", &run_with_result);
    const fiber::WaitReason reason{fiber::WaitKind::reply, rank, nullptr,
                                   name_address<F>(f, &run_with_result)};
    return runtime::ask<Result>(reason, [&](ReplyToken token) {
      self.traffic.begin_awaited(rank, [&] {
        send_values<purpose>(self.sender, rank, &run_with_result, token,
                             FunctionValue<F>{std::forward<Function>(f)},
                             sent_value<Args>(std::forward<Arguments>(arguments))...);
      });
    });
  }

  static F read_function(ModuleTable& modules, Reader& reader) {
    if constexpr (FunctionPointer<F> || std::is_member_pointer_v<F>) {
      return Codec<F>::read(modules, reader);
    } else if constexpr (std::is_empty_v<F>) {
      const std::byte nothing{};
      return reinterpret_cast<const F&>(nothing);
    } else {
      return reader.read<F>();
    }
  }

  static void run_one_way(Rank& self, int source, Reader& reader) {
    std::uintptr_t function = 0;
    try {
      F f = read_function(self.sender.modules(), reader);
      function = name_address(f, &run_one_way);
      // Braces: the arguments are taken out in the order in which they were written.
      std::tuple<Args...> args{Codec<Args>::read(self.sender.modules(), reader)...};
      self.waits.set_served({source, function});
      if constexpr (is_future<Returned>) {
        return LongCall<F, Args...>::begin({source, function}, std::move(f), std::move(args));
      } else {
        std::apply(f, std::move(args));
      }
    } catch (...) {
      one_way_call_failed(self, source, function);
    }
    ++self.traffic.with(source).done;
  }

  static void run_with_result(Rank& self, int source, Reader& reader) {
    const auto token = reader.read<ReplyToken>();
    std::uintptr_t function = 0;
    try {
      F f = read_function(self.sender.modules(), reader);
      function = name_address(f, &run_with_result);
      std::tuple<Args...> args{Codec<Args>::read(self.sender.modules(), reader)...};
      self.waits.set_served({source, function, token.number});
      if constexpr (is_future<Returned>) {
        LongCall<F, Args...>::begin({source, function, token, &handle_result<Result>}, std::move(f),
                                    std::move(args));
      } else if constexpr (std::is_void_v<Result>) {
        std::apply(f, std::move(args));
        send_answer(self.sender, source, &handle_result<void>, token);
      } else {
        send_answer(self.sender, source, &handle_result<Result>, token,
                    Result(std::apply(f, std::move(args))));
      }
    } catch (...) {
      send_failure(self, source, token, function);
    }
  }
};

/// The Call of an F with Arguments, both as forwarding references have them.
template <class F, class... Arguments>
using CallOf = typename WithSent<Call, std::decay_t<F>,
                                 typename ParametersOf<std::decay_t<F>>::type, Arguments...>::type;

}  // namespace runtime

/// One-way call of `f(args...)` on `rank`. An exception thrown there is reported and ends the job.
///     tasuki::post(0, [](int from) { std::printf("from %d\n", from); }, tasuki::rank());
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
void post(int rank, F&& f, Args&&... args) {
  using Call = runtime::CallOf<F, Args...>;
  if constexpr (Call::is_allowed) {
    Call::post(rank, std::forward<F>(f), std::forward<Args>(args)...);
  }
}

/// Call of `f(args...)` on `rank`. If `f` returns a Future, a coroutine for example, its result is
/// what that future will have. Small calls travel together until the caller waits, or `flush()`.
///     tasuki::Future<int> sum = tasuki::ainvoke(0, [](int a, int b) { return a + b; }, 1, 2);
///     std::printf("%d\n", sum.get());
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
auto ainvoke(int rank, F&& f, Args&&... args) {
  using Call = runtime::CallOf<F, Args...>;
  if constexpr (Call::is_allowed) {
    return Call::ask(rank, std::forward<F>(f), std::forward<Args>(args)...);
  } else {
    return runtime::refused<Future<typename Call::Result>>();
  }
}

/// Like `ainvoke`, and waits for the result.
/// Returns: what `f` returned there. Throws: what it threw there (see remote_error.hpp).
///     const int three = tasuki::invoke(0, [](int a, int b) { return a + b; }, 1, 2);
template <class... Args, class F = typename runtime::OverloadedName<Args...>::type>
auto invoke(int rank, F&& f, Args&&... args) {
  using Call = runtime::CallOf<F, Args...>;
  if constexpr (Call::is_allowed) {
    return Call::template ask<Call::awaited>(rank, std::forward<F>(f), std::forward<Args>(args)...)
        .get();
  } else {
    return runtime::refused<typename Call::Result>();
  }
}

/// The rank that has called the function which is running: a function called by `invoke`, `ainvoke`
/// or `post`, also where it goes on after a wait. Throws tasuki::error anywhere else, also in
/// continuations.
///     tasuki::post(0, [] { std::printf("called by rank %d\n", tasuki::caller()); });
int caller();

/// Sends everything that is being aggregated.
///     tasuki::post(0, [] { std::puts("before the long computation of the caller"); });
///     tasuki::flush();
inline void flush() { runtime::Rank::current().sender.flush(); }

namespace runtime {

/// Gives the result of a call to `f` when it is there, with nobody waiting for it.
template <class T, class F>
void hand_on(Future<T> future, F f) {
  struct HandOn final : Continuation {
    HandOn(Future<T> from, F to) : source(std::move(from)), f(std::move(to)) {}
    FutureCore* run() override {
      const std::unique_ptr<HandOn> self(this);
      const fiber::WaitReason reason = source.internal_state()->reason();
      try {
        f(source.get());
      } catch (...) {
        report_unheard_failure(reason, std::current_exception(), true);
      }
      return nullptr;
    }
    void discard() noexcept override { delete this; }
    Future<T> source;
    F f;
  };
  FutureCore* const state = future.internal_state();
  state->on_done(new HandOn(std::move(future), std::move(f)));
}

}  // namespace runtime

/// Lets other fibers and arriving calls run.
///     for (int step = 0; step < 1000; ++step) tasuki::yield();  // instead of a long silence
inline void yield() { runtime::Waits::current().yield(); }

/// Returns when all calls made by any rank, and all calls these made, are done everywhere.
/// Collective.
///     tasuki::post(0, [] { std::puts("a call"); });
///     tasuki::quiesce();  // now it has been run
void quiesce();

}  // namespace tasuki
