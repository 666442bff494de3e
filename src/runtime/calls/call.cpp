#include <fmt/format.h>

#include <span>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/calls/awaited_call.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "runtime/calls/named_failure.hpp"
#include "runtime/waiting/completion.hpp"

namespace tasuki::runtime {

// Programs of one job that were linked apart find handlers by their symbols; so it has one.
void handle_failure(Rank& self, int source, Reader& reader) {
  const ReplyTo call(reader.read<ReplyToken>());
  Failure failure;
  failure.kind = reader.read<Failure::Kind>();
  failure.code = reader.read<std::int32_t>();
  failure.rank = reader.read<std::int32_t>();
  failure.function = Codec<std::string>::read(self.sender.modules(), reader);
  failure.text = Codec<std::string>::read(self.sender.modules(), reader);
  call->fail(rebuild(failure));
  note_answer(self, source);
}

FutureCore* begin_small_call(Rank& self, const char* operation, int rank, std::uintptr_t function) {
  return begin_small_call_inline(self, operation, rank, function);
}

FutureCore* begin_typed_call(Rank& self, const char* operation, int rank, std::uintptr_t function,
                             FutureCore::Destroy destroy, std::uint32_t state_bytes) {
  self.check_rank(rank, operation);
  void* const memory = Recycled::operator new(state_bytes);
  auto* const state = ::new (memory) TypedCore(destroy, state_bytes);
  return begin_awaited_call(self, *state, {fiber::WaitKind::reply, rank, nullptr, function});
}

void AwaitedCall::undo(Rank& self, FutureCore* state) noexcept {
  --self.traffic.with(state->reason().rank).begun;
  --self.traffic.awaited_answers_count;
  state->release();  // the answer's
  state->release();
}

void complete_answer(Rank& self, int source, ReplyToken token) {
  future_of(token).complete_in_handler(self.waits, [&] { note_answer(self, source); });
}

void throw_short_record() {
  throw error("reading a call's arguments", "the record ends too early",
              "make sure that serialize() reads exactly what it wrote");
}

void refuse_wait_of_load() noexcept {
  Rank& self = Rank::current();
  const fiber::Activity& activity = self.waits.activity();
  std::string value = "a value";
  if (activity.caller_rank >= 0) {
    const bool is_named = *activity.label != '\0';
    value += fmt::format(" for {}, which rank {} calls,",
                         is_named ? activity.label : function_name(activity.function),
                         activity.caller_rank);
  }
  base::report(fmt::format(
      "load or serialize of {} waits, by yield, invoke, post, a lock or the like. The message that "
      "the value lies in may be overwritten meanwhile, so the job ends. Remedy: only read the "
      "members "
      "there, and wait in the function that is called",
      value));
  end_job(self.transport, base::exit_code::wrong_call);
}

bool has_frame_address(const Rank& self, std::span<const std::uintptr_t> words) {
  const fiber::Scheduler& scheduler = self.waits.scheduler();
  bool is_there = false;
  for (const std::uintptr_t word : words) {
    is_there |= scheduler.is_near_frames(word) && scheduler.is_in_frames(word);
  }
  return is_there;
}

void refuse_captures(const char* operation, const std::string& function) {
  throw error(operation,
              fmt::format("the function object of {} captures the address of a variable on the "
                          "stack of rank {}, as [&] does, which means nothing on another rank",
                          function, Rank::current().rank),
              "capture by value ([=], or the names alone), or a global_ptr(&variable); if the "
              "number is meant, pass as_address(&variable) as an argument. A captured value whose "
              "unused bytes hold an old address, as an empty std::optional's may, is passed as an "
              "argument, too");
}

void refuse_captures(const char* operation, Handler handler) {
  refuse_captures(operation, function_name(reinterpret_cast<std::uintptr_t>(handler)));
}

void one_way_call_failed(Rank& self, int source, std::uintptr_t function) {
  one_way_call_failed(self, source, function_name(function));
}

void one_way_call_failed(Rank& self, int source, std::string function) {
  const Failure failure = describe_current_exception(std::move(function));
  base::report(fmt::format(
      "one-way call of {} from rank {} threw: {}. Nobody waits for its result, so the job ends. "
      "Remedy: catch the exception in the function, or call it with invoke",
      failure.function, source, failure.text));
  end_job(self.transport, base::exit_code::wrong_call);
}

void report_unheard_failure(const fiber::WaitReason& reason, const std::exception_ptr& failure,
                            bool ends_job) {
  const bool is_named = reason.kind == fiber::WaitKind::reply && reason.object != nullptr;
  const std::string name = is_named               ? static_cast<const char*>(reason.object)
                           : reason.function == 0 ? ""
                                                  : function_name(reason.function);
  Failure described;
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    described = describe_current_exception(name);
  }
  std::string work = name.empty() ? "the work of a future" : described.function;
  if (reason.kind == fiber::WaitKind::reply) {
    work = fmt::format("call of {} on rank {}", described.function, reason.rank);
  }
  base::report(
      fmt::format("{}, whose result nobody waits for, threw: {}.{} Remedy: catch the "
                  "exception in the function, or call get() on the future",
                  work, described.text, ends_job ? " The job ends." : ""));
  if (ends_job) end_job(Rank::current().transport, base::exit_code::wrong_call);
}

void send_failure(Rank& self, int rank, ReplyToken token, std::uintptr_t function) {
  send_failure(self, rank, token, function_name(function));
}

void send_failure(Rank& self, int rank, ReplyToken token, std::string function) {
  const Failure failure = describe_current_exception(std::move(function));
  send_answer(self.sender, rank, &handle_failure, token, failure.kind, failure.code, failure.rank,
              failure.function, failure.text);
}

}  // namespace tasuki::runtime

int tasuki::caller() {
  const int rank = runtime::Rank::current().waits.activity().caller_rank;
  if (rank >= 0) return rank;
  throw error("caller()",
              "no other function has been called here: this is main, a spawned fiber or "
              "a continuation",
              "ask in the function that is called, and give the rank to what it starts");
}
