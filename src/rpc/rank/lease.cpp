#include "rpc/rank/lease.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/short_spin.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Clock = CallGate::Clock;

/// What the client has said of a call once something is ready on its connection.
enum class Said : std::uint8_t { nothing, something, farewell };

/// What is ready may be no message, but a part of an encrypted one, for the rest of which nobody
/// waits here, or the end of the connection.
Said said_by(Socket& client) {
  try {
    return client.has_come() ? Said::something : Said::nothing;
  } catch (const error&) {
    return Said::farewell;
  }
}

}  // namespace

Lease::Lease(const RankProgram& program, Kept& kept, CallReporter& reporter,
             FrontEndLink& front_end, const LeaseOrder& order)
    : program_(program),
      kept_(kept),
      reporter_(reporter),
      front_end_(front_end),
      number_(order.number),
      call_most_bytes_(order.call_most_bytes),
      client_most_(
          std::chrono::ceil<Socket::Seconds>(std::chrono::duration<double>(order.client_most_s))),
      gate_(
          [this](std::int64_t calls_count) {
            front_end_.send({{"message", "held"}, {"lease", number_}, {"calls", calls_count}});
          },
          Clock::now() + first_call_wait) {
  reporter_.begin_lease(number_);
  front_end_.attend(number_, &gate_);
}

Lease::~Lease() { front_end_.attend(number_, nullptr); }

void Lease::serve(Socket client, const std::optional<PeerMemory>& memory, Listener& listener) {
  client.set_timeout(client_most_);
  CallServer calls(program_, kept_, reporter_, client, memory, call_most_bytes_, said_);
  while (!gate_.is_over() && !front_end_.has_gone()) {
    const Heard heard = wait(client, listener);
    if (heard == Heard::nothing) continue;
    const Said said = heard == Heard::end ? Said::farewell : said_by(client);
    if (said == Said::farewell) return;
    if (said == Said::something && gate_.begin()) calls.serve();
  }
}

Lease::Heard Lease::wait(const Socket& client, Listener& listener) {
  const bool is_open = gate_.is_open();
  if (is_open && client.has_ahead()) return Heard::call;
  WakeUp& wake_up = front_end_.wake_up();
  const auto patience = gate_.patience();
  int timeout_ms = -1;
  if (patience) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*patience - Clock::now());
    timeout_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }
  std::array<pollfd, 3> watched = {{{wake_up.descriptor(), POLLIN, 0},
                                    {is_open ? client.descriptor() : -1, POLLIN | POLLRDHUP, 0},
                                    {listener.descriptor(), POLLIN, 0}}};
  int ready_count = 0;
  const auto has_come = [&] {
    ready_count = poll(watched.data(), watched.size(), 0);
    return ready_count != 0;
  };
  if (!short_spin(has_come)) ready_count = poll(watched.data(), watched.size(), timeout_ms);
  // Strangers may have something ready at all times.
  const bool is_late = patience && watched[1].revents == 0 && Clock::now() >= *patience;
  if (ready_count == 0 || is_late) gate_.lose_patience();
  if (ready_count <= 0) return Heard::nothing;
  if (watched[0].revents != 0) wake_up.clear();
  if (watched[2].revents != 0) listener.accept_now();
  if (watched[1].revents == 0) return Heard::nothing;
  return watched[1].revents == POLLIN ? Heard::call : Heard::end;
}

void Lease::report_end(const std::optional<error>& fault) {
  if (fault) {
    send_end({{"happened", fault->happened()}, {"remedy", fault->remedy()}});
  } else if (gate_.calls_count() < gate_.last_call().value_or(0)) {
    send_end(
        {{"happened", "the client has gone"}, {"remedy", "call again"}, {"has_client_gone", true}});
  } else {
    send_end(json::object());
  }
}

void Lease::report_refusal(const RefusedCall& fault) {
  send_end({{"happened", fault.happened()}, {"remedy", fault.remedy()}, {"has_refused", true}});
}

void Lease::report_broken_off(const BrokenOffCall& fault) {
  send_end({{"happened", fault.happened()}, {"remedy", fault.remedy()}, {"is_broken_off", true}});
}

void Lease::send_end(json facts) {
  reporter_.end_lease();  // Before the front end hears that no more calls come.
  facts["message"] = "ended";
  facts["lease"] = number_;
  facts["calls"] = gate_.calls_count();
  facts["said"] = said_.text();
  front_end_.send(facts);
}

}  // namespace tasuki::rpc
