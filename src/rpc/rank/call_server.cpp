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
  const json message = receive_frame(client_);
  try {
    serve(message);
  } catch (const error& fault) {
    if (!client_.has_ended()) {
      send_frame(
          client_,
          {{"message", "failed"}, {"happened", fault.happened()}, {"remedy", fault.remedy()}});
    }
    throw;
  }
}

void CallServer::serve(const json& message) {
  const auto name = field_of<std::string>(message, "routine");
  const RoutineEntry& entry = find(program_.routines, name);
  const Routine* routine = program_.module.find(name);
  if (routine == nullptr) {
    throw error("serve a call", fmt::format("the interface has no routine {}", name),
                "choose one of the server's routines");
  }
  LapClock clock;
  CallMemory call(*routine, field_of<json>(message, "scalars"), {program_.rank, program_.ranks},
                  memory_);
  call.receive(client_);
  const double receive_s = clock.lap_s();
  run(entry, call);
  const double compute_s = clock.lap_s();
  const std::vector<std::uint8_t> head = encode_frame(
      {{"message", "results"}, {"seconds", {{"receive", receive_s}, {"compute", compute_s}}}});
  sender_.add(std::as_bytes(std::span(head)));
  call.add_results(sender_);
  sender_.flush();
}

}  // namespace tasuki::rpc
