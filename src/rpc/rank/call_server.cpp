#include "rpc/rank/call_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/current_call.hpp"
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

const RoutineEntry& find(std::span<const RoutineEntry> routines, std::string_view name) {
  const auto name_of = [](const RoutineEntry& one) { return std::string_view(one.name); };
  const auto found = std::ranges::find(routines, name, name_of);
  if (found == routines.end()) {
    throw error("serve a call", fmt::format("the program has no routine {}", name),
                "build the program again from its interface file");
  }
  return *found;
}

json results(double receive_s, double compute_s) {
  return {{"message", "results"}, {"seconds", {{"receive", receive_s}, {"compute", compute_s}}}};
}

/// Throws tasuki::error if the routine fails or throws.
void run(const RoutineEntry& entry, CallMemory& memory) {
  CurrentCall call(memory);
  try {
    entry.run(memory.arguments());
  } catch (const std::exception& fault) {
    call.fail(fault.what());
  }
  if (const auto happened = call.failure()) {
    throw error(fmt::format("run {}", entry.name), *happened, "check the arguments of the call");
  }
}

}  // namespace

void CallServer::serve() {
  const json message = receive_frame(client_.socket);
  try {
    serve(message);
  } catch (const LostArray& fault) {
    answer("refused", fault);  // By every rank, and all can go on.
  } catch (const error& fault) {
    if (!client_.socket.has_ended()) answer("failed", fault);
    throw;
  }
}

void CallServer::answer(const char* kind, const error& fault) {
  send_frame(client_.socket,
             {{"message", kind}, {"happened", fault.happened()}, {"remedy", fault.remedy()}});
}

void CallServer::serve(const json& message) {
  const auto kind = field_of<std::string>(message, "message");
  if (kind == "call") return call(message);
  LapClock clock;
  if (kind == "keep") {
    keep(message);
  } else {
    kept_.free(field_of<std::string>(message, "array"));
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
  const RoutineEntry& entry = find(program_.routines, routine.name);
  LapClock clock;
  CallMemory::Kept kept;
  if (message.contains("kept")) kept = field_of<CallMemory::Kept>(message, "kept");
  CallMemory memory(routine, field_of<json>(message, "scalars"), std::move(kept),
                    {program_.rank, program_.ranks}, memory_);
  ArrayTransfer transfer(client_, message);
  memory.receive(transfer);
  memory.use(kept_);
  const double receive_s = clock.lap_s();
  run(entry, memory);
  transfer.send_results(results(receive_s, clock.lap_s()), memory.results());
}

void CallServer::keep(const json& message) {
  const Routine& routine = routine_of(message);
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
  if (!kept_.has_room(layout)) {
    transfer.discard({*found, layout, program_.rank, {}});
    kept_.refuse(layout);
  }
  BlockMemory::Piece block = memory_.take(bytes);
  if (block.memory == nullptr) {
    throw error("put an array", fmt::format("rank {} has no {} bytes", program_.rank, bytes),
                "free other arrays, or use more ranks");
  }
  transfer.receive(
      {*found, layout, program_.rank, {static_cast<std::byte*>(block.memory.get()), bytes}});
  kept_.keep(field_of<std::string>(message, "array"), layout, std::move(block));
}

}  // namespace tasuki::rpc
