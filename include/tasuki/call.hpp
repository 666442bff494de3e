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
#include <tasuki/detail/runtime/calls/awaited_call.hpp>
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
#include <type_traits>
#include <utility>

namespace tasuki {
namespace runtime {

inline std::uintptr_t address_of(Handler handler) noexcept {
  return reinterpret_cast<std::uintptr_t>(handler);
}

/// The answer to a call is here, and handled.
inline void note_answer(Rank& self, int source) noexcept {
  ++self.traffic.with(source).done;
  --self.traffic.awaited_answers_count;
}

/// The same, when the future that `token` names has its value or its failure; lets it go.
void complete_answer(Rank& self, int source, ReplyToken token);

template <class Result>
void handle_result(Rank& self, int source, Reader& reader) {
  Reader record = reader;  // Of its own, so that it need not be in memory.
  const auto token = record.read<ReplyToken>();
  if constexpr (!std::is_void_v<Result>) {
    if constexpr (SentAsItIs<Result>) {
      put_value<Result>(future_of(token), Codec<Result>::read(self.sender.modules(), record));
    } else {
      try {
        put_value<Result>(future_of(token), Codec<Result>::read(self.sender.modules(), record));
      } catch (...) {
        future_of(token).set_failure(std::current_exception());
      }
    }
  }
  complete_answer(self, source, token);
}

/// How an F travels that is no pointer: its captures by their bytes, nothing if there are none.
template <class F>
struct FunctionValue {
  F f;
};
template <class F>
struct Codec<FunctionValue<F>> {
  static constexpr bool fixed = true;
  static constexpr std::size_t bytes = __is_empty(F) ? 0 : sizeof(F);
  static const F* encode(ModuleTable&, const FunctionValue<F>& value) noexcept { return &value.f; }
  static void write(Writer& to, const F* f) noexcept { to.write_bytes(f, bytes); }
};

/// What is sent for `f`. Functions of all types travel as the address of their code.
template <class F>
auto sent_function(ModuleTable& modules, const F& f) {
  if constexpr (FunctionPointer<F>) {
    return modules.encode(reinterpret_cast<std::uintptr_t>(f));
  } else if constexpr (PointerToCode<F>) {
    return f;
  } else {
    return FunctionValue<F>{f};
  }
}

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

  template <class... Arguments>
  static void post(int rank, const F& f, Arguments&&... arguments) {
    Rank& self = Rank::current();
    self.check_rank(rank, "post");
    if constexpr (may_capture_address<F>) check_captures<F>(self, f, "post", &run_one_way);
    TrafficCounts::Begin begin(self.traffic.with(rank));
    send_values<RecordPurpose::post>(
        self.sender, rank, &run_one_way, sent_function(self.sender.modules(), f),
        static_cast<SentValue<Args, Arguments>>(static_cast<Arguments&&>(arguments))...);
    begin.sent();
  }

  /// What a caller that waits may leave where it is needs a form of its own.
  static constexpr RecordPurpose awaited =
      (RowOfElements<Args> || ...) ? RecordPurpose::awaited_call : RecordPurpose::call;

  /// `operation` is what errors say that the user called. Returns: the state of the Future<Result>,
  /// with a reference.
  template <RecordPurpose purpose, bool is_inlined, class... Arguments>
  static FutureCore* ask(const char* operation, int rank, const F& f, Arguments&&... arguments) {
    Rank& self = Rank::current();
    AwaitedCall call(self,
                     begin_awaited_call<Result, is_inlined>(
                         self, operation, rank, name_address(f, address_of(&run_with_result))));
    if constexpr (may_capture_address<F>) check_captures<F>(self, f, operation, &run_with_result);
    send_values<purpose>(
        self.sender, rank, &run_with_result, call.token(), sent_function(self.sender.modules(), f),
        static_cast<SentValue<Args, Arguments>>(static_cast<Arguments&&>(arguments))...);
    return call.sent();
  }

  static F read_function(ModuleTable& modules, Reader& reader) {
    if constexpr (FunctionPointer<F>) {
      return reinterpret_cast<F>(modules.decode(reader.read<CodeAddress>()));
    } else if constexpr (PointerToCode<F>) {
      return Codec<F>::read(modules, reader);
    } else {
      alignas(F) std::byte storage[sizeof(F)];
      reader.read_bytes(storage, Codec<FunctionValue<F>>::bytes);
      return *reinterpret_cast<F*>(storage);
    }
  }

  static Returned call(F& f, Args&&... args) {
    if constexpr (is_member_pointer<F>) {
      return std::invoke(f, static_cast<Args&&>(args)...);
    } else {
      return f(static_cast<Args&&>(args)...);
    }
  }

  /// Constructors call the function, because what stands in braces is evaluated in its order: the
  /// arguments are taken out of the record as they were written.
  struct RunOneWay {
    RunOneWay(const CallOrigin& origin, F& f, Args&&... args) {
      if constexpr (is_future<Returned>) {
        LongCall<F, Args...>::begin(origin, f, static_cast<Args&&>(args)...);
      } else {
        call(f, static_cast<Args&&>(args)...);
      }
    }
  };
  struct RunWithResult {
    RunWithResult(Rank& self, const CallOrigin& origin, F& f, Args&&... args) {
      if constexpr (is_future<Returned>) {
        LongCall<F, Args...>::begin(origin, f, static_cast<Args&&>(args)...);
      } else if constexpr (std::is_void_v<Result>) {
        call(f, static_cast<Args&&>(args)...);
        send_values<RecordPurpose::answer>(self.sender, origin.caller, origin.answer, origin.token);
      } else {
        send_values<RecordPurpose::answer>(self.sender, origin.caller, origin.answer, origin.token,
                                           call(f, static_cast<Args&&>(args)...));
      }
    }
  };

  static void run_one_way(Rank& self, int source, Reader& reader) {
    CallOrigin origin{source, 0};
    try {
      F f = read_function(self.sender.modules(), reader);
      origin.function = name_address(f, address_of(&run_one_way));
      self.waits.set_served({origin.caller, origin.function});
      RunOneWay{origin, f, Codec<Args>::read(self.sender.modules(), reader)...};
      // The arguments have ended, and what their destructors do belongs to the call.
      if constexpr (!is_future<Returned>) ++self.traffic.with(source).done;
    } catch (...) {
      one_way_call_failed(self, source, origin.function);
    }
  }

  static void run_with_result(Rank& self, int source, Reader& reader) {
    Reader record = reader;
    CallOrigin origin{source, 0, record.read<ReplyToken>(), &handle_result<Result>};
    try {
      F f = read_function(self.sender.modules(), record);
      origin.function = name_address(f, address_of(&run_with_result));
      self.waits.set_served({origin.caller, origin.function, origin.token.number});
      RunWithResult{self, origin, f, Codec<Args>::read(self.sender.modules(), record)...};
    } catch (...) {
      send_failure(self, source, origin.token, origin.function);
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
    Call::post(rank, std::forward<F>(f), static_cast<Args&&>(args)...);
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
    return Future<typename Call::Result>(Call::template ask<runtime::RecordPurpose::call, true>(
        "ainvoke", rank, f, static_cast<Args&&>(args)...));
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
    return runtime::take_answer<typename Call::Result>(
        Call::template ask<Call::awaited, false>("invoke", rank, f, static_cast<Args&&>(args)...));
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
