#include <fmt/format.h>

#include <tasuki/call.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {
namespace {

void handle_failure(Rank& self, int, Reader& reader) {
  const ReplyTo<FutureCore> call(reader.read<ReplyToken>());
  Failure failure;
  failure.kind = reader.read<Failure::Kind>();
  failure.code = reader.read<std::int32_t>();
  failure.rank = reader.read<std::int32_t>();
  failure.function = Codec<std::string>::read(self.sender.modules(), reader);
  failure.text = Codec<std::string>::read(self.sender.modules(), reader);
  call->fail(rebuild(failure));
  note_answer(self);
}

}  // namespace

void throw_short_record() {
  throw error("reading a call's arguments", "the record ends too early",
              "make sure that serialize() reads exactly what it wrote");
}

void one_way_call_failed(Rank& self, int source, std::uintptr_t function) {
  const Failure failure = describe_current_exception(function_name(function));
  base::report(fmt::format(
      "one-way call of {} from rank {} threw: {}. Nobody waits for its result, so the job ends. "
      "Remedy: catch the exception in the function, or call it with invoke",
      failure.function, source, failure.text));
  end_job(self.transport, base::exit_code::wrong_call);
}

void call_failed_unheard(const fiber::WaitReason& reason) {
  const Failure failure = describe_current_exception(function_name(reason.function));
  base::report(
      fmt::format("call of {} on rank {}, whose result nobody waits for, threw: {}. The job ends. "
                  "Remedy: catch "
                  "the exception in the function, or call it with invoke",
                  failure.function, reason.rank, failure.text));
  end_job(Rank::current().transport, base::exit_code::wrong_call);
}

void send_failure(Rank& self, int rank, ReplyToken token, std::uintptr_t function) {
  const Failure failure = describe_current_exception(function_name(function));
  send_answer(self.sender, rank, &handle_failure, token, failure.kind, failure.code, failure.rank,
              failure.function, failure.text);
}

}  // namespace tasuki::runtime
