#include "rpc/rank/call_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/links/failed_call.hpp"
#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/run_routine.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

class LapClock {
 public:
  /// Returns: seconds since the last lap, or since the clock was made.
  double lap_s() {
    const std::int64_t now_ns = base::now_ns();
    return static_cast<double>(now_ns - std::exchange(last_ns_, now_ns)) * 1e-9;
  }

 private:
  std::int64_t last_ns_ = base::now_ns();
};

const RoutineEntry& entry_of(const RankProgram& program, const Routine& routine) {
  if (const RoutineEntry* const found = program.find(routine.name)) return *found;
  throw error("serve a call", fmt::format("the program has no routine {}", routine.name),
              "build the program again from its interface file");
}

json results(double receive_s, double compute_s) {
  return {{"message", "results"}, {"seconds", {{"receive", receive_s}, {"compute", compute_s}}}};
}

}  // namespace

void CallServer::serve() {
  const json message = receive_frame(client_.socket);
  try {
    serve(message);
  } catch (const Lost& fault) {
    send_frame(client_.socket, refusal_of(fault));  // By every rank, and all can go on.
  } catch (const error& fault) {
    if (!client_.socket.has_ended()) send_frame(client_.socket, failure_of(fault));
    throw;
  }
}

void CallServer::serve(const json& message) {
  const auto kind = field_of<std::string>(message, "message");
  if (kind == "call") return call(message);
  LapClock clock;
  if (kind == "keep") {
    keep(message);
  } else if (kind == "make") {
    kept_.objects.make(field_of<std::string>(message, "object"),
                       field_of<std::string>(message, "class"));
  } else {
    kept_.free(field_of<std::string>(message, "name"));
  }
  send_frame(client_.socket, results(clock.lap_s(), 0));
}

const Routine& CallServer::routine_of(const json& message) const {
  const auto name = field_of<std::string>(message, "routine");
  if (const Routine* routine = program_.module.find(name)) return *routine;
  throw error("serve a call", fmt::format("the interface has no routine {}", name),
              "choose one of the server's routines");
}

void CallServer::call(const json& message) {
  const Routine& routine = routine_of(message);
  const RoutineEntry& entry = entry_of(program_, routine);
  LapClock clock;
  CallMemory::Kept kept;
  if (message.contains("kept")) kept = field_of<CallMemory::Kept>(message, "kept");
  CallMemory memory(routine, field_of<json>(message, "scalars"), std::move(kept),
                    {program_.rank, program_.ranks}, memory_);
  ArrayTransfer transfer(client_, message);
  memory.receive(transfer);
  memory.use(kept_.arrays);
  const std::int64_t object =
      routine.is_method()
          ? kept_.objects.use(field_of<std::string>(message, "object"), routine.class_name())
          : 0;
  const double receive_s = clock.lap_s();
  run_routine(entry, memory, object);
  transfer.send_results(results(receive_s, clock.lap_s()), memory.results());
}

void CallServer::keep(const json& message) {
  const Routine routine = without_ranges(routine_of(message));
  const Integers integers = integers_of(routine, field_of<json>(message, "scalars"));
  const auto name = field_of<std::string>(message, "parameter");
  const auto found = std::ranges::find(routine.parameters, name, &Parameter::name);
  if (found == routine.parameters.end() || found->is_scalar()) {
    throw error("put an array", fmt::format("{} has no array {}", routine.name, name),
                "choose one of the routine's arrays");
  }
  const CallLayout all = layout_of(routine, integers, program_.ranks);
  const layout::ArrayLayout& layout =
      *all[static_cast<std::size_t>(found - routine.parameters.begin())];
  const auto bytes = static_cast<std::size_t>(layout.local_bytes(program_.rank));
  ArrayTransfer transfer(client_, message);
  if (!kept_.arrays.has_room(layout)) {
    transfer.discard({*found, layout, program_.rank, {}});
    kept_.arrays.refuse(layout);
  }
  BlockMemory::Piece block = memory_.take(bytes);
  if (block.memory == nullptr) {
    throw error("put an array", fmt::format("rank {} has no {} bytes", program_.rank, bytes),
                "free other arrays, or use more ranks");
  }
  transfer.receive(
      {*found, layout, program_.rank, {static_cast<std::byte*>(block.memory.get()), bytes}});
  kept_.arrays.keep(field_of<std::string>(message, "array"), layout, std::move(block));
}

}  // namespace tasuki::rpc
