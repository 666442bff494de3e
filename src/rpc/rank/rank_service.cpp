#include <tasuki/routines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/rank/call_memory.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds front_end_timeout{10};
constexpr Socket::Seconds client_timeout{60};
/// Who connects has the ticket at hand; a stranger that says nothing must not hold the client up.
constexpr Socket::Seconds ticket_timeout{5};

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

/// Where this process belongs.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  Endpoint front_end = {};
  std::string key = {};  ///< Lets it join.
};

Endpoint server_from_settings() {
  const std::string address = base::setting::server.text();
  if (address.empty()) {
    throw error("serve calls", "no server has started this program", "start it by tasuki serve");
  }
  return endpoint_from(address);
}

class RankService {
 public:
  RankService(const RankPlace& place, std::span<const RoutineEntry> routines)
      : place_(place),
        routines_(routines),
        listener_({place.front_end.host, 0}),
        front_end_(Socket::connect(place.front_end, front_end_timeout)) {
    send_frame(front_end_, {{"message", "join"},
                            {"key", place.key},
                            {"rank", place.rank},
                            {"ranks", place.ranks},
                            {"port", listener_.port()}});
    module_ = module_from_json(field_of<json>(receive_frame(front_end_), "interface"));
  }

  /// Returns when the front end ends the connection.
  void run() {
    while (const std::optional<json> message = next_message()) answer(*message);
  }

 private:
  std::optional<json> next_message() {
    try {
      return receive_frame(front_end_);
    } catch (const error&) {
      return {};
    }
  }

  void answer(const json& message) {
    json done = {{"message", "done"}, {"call", field_of<std::int64_t>(message, "call")}};
    try {
      done["seconds"] = serve(message);
    } catch (const error& fault) {
      done["happened"] = fault.happened();
      done["remedy"] = fault.remedy();
    }
    send_frame(front_end_, done);
  }

  /// Returns: the seconds of each part.
  json serve(const json& message) {
    const auto name = field_of<std::string>(message, "routine");
    const Routine* routine = module_.find(name);
    const auto entry =
        std::ranges::find(routines_, std::string_view(name),
                          [](const RoutineEntry& one) { return std::string_view(one.name); });
    if (routine == nullptr || entry == routines_.end()) {
      throw error("serve a call", fmt::format("the program has no routine {}", name),
                  "build the program again from its interface file");
    }
    LapClock clock;
    CallMemory memory(*routine, field_of<json>(message, "scalars"), place_.rank, place_.ranks);
    Socket client = admit(field_of<std::string>(message, "ticket"));
    memory.receive(client);
    const double receive_s = clock.lap_s();
    entry->run(memory.arguments());
    const double compute_s = clock.lap_s();
    send_frame(client, {{"message", "results"}});
    memory.send_results(client);
    return {{"receive", receive_s}, {"compute", compute_s}, {"send", clock.lap_s()}};
  }

  /// The client with the ticket; a connection without it is closed.
  Socket admit(const std::string& ticket) {
    while (true) {
      Socket socket = listener_.accept(client_timeout);
      socket.set_timeout(ticket_timeout);
      try {
        if (field_of<std::string>(receive_frame(socket), "ticket") != ticket) continue;
      } catch (const error&) {
        continue;
      }
      socket.set_timeout(client_timeout);
      return socket;
    }
  }

  RankPlace place_;
  std::span<const RoutineEntry> routines_;
  Listener listener_;
  Socket front_end_;
  Module module_;
};

}  // namespace

void serve_calls(int rank, int ranks, std::span<const RoutineEntry> routines) {
  const RankPlace place{rank, ranks, server_from_settings(), base::setting::server_key.text()};
  RankService(place, routines).run();
}

}  // namespace tasuki::rpc
