#include <fmt/format.h>

#include <tasuki/call.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {
namespace {

constexpr int one_way_failure_exit_code = 71;

void handle_failure(World& world, int, Reader& reader) {
  auto* state = reinterpret_cast<FutureCore*>(reader.read<std::uint64_t>());
  Failure failure;
  failure.kind = reader.read<Failure::Kind>();
  failure.code = reader.read<std::int32_t>();
  failure.rank = reader.read<std::int32_t>();
  failure.function = Codec<std::string>::read(world, reader);
  failure.text = Codec<std::string>::read(world, reader);
  state->fail(rebuild(failure));
  ++world.calls().done;
  --world.calls().awaited;
  state->release();
}

}  // namespace

void throw_short_record() {
  throw error("reading a call's arguments", "the record ends too early",
              "make sure that serialize() reads exactly what it wrote");
}

void one_way_call_failed(World& world, int source, std::uintptr_t function) {
  const Failure failure = describe_current_exception(function_name(function));
  base::report(fmt::format(
      "one-way call of {} from rank {} threw: {}. Nobody waits for its result, so the job ends. "
      "Remedy: catch the exception in the function, or call it with invoke",
      failure.function, source, failure.text));
  world.end_job(one_way_failure_exit_code);
}

void call_failed_unheard(const fiber::WaitReason& reason) {
  const Failure failure = describe_current_exception(function_name(reason.function));
  base::report(
      fmt::format("call of {} on rank {}, whose result nobody waits for, threw: {}. The job ends. "
                  "Remedy: catch "
                  "the exception in the function, or call it with invoke",
                  failure.function, reason.rank, failure.text));
  World::current().end_job(one_way_failure_exit_code);
}

void send_failure(World& world, int rank, std::uint64_t call_id, std::uintptr_t function) {
  const Failure failure = describe_current_exception(function_name(function));
  send_answer(world, rank, &handle_failure, call_id, failure.kind, failure.code, failure.rank,
              failure.function, failure.text);
}

}  // namespace tasuki::runtime
