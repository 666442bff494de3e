#include "rpc/server/staged_calls.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/interface/call_bytes.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/links/failed_call.hpp"
#include "rpc/links/lost.hpp"
#include "rpc/wire/await_message.hpp"
#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/seconds_since.hpp"
#include "rpc/wire/too_slow.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A client that sends arrays pauses for less than that.
constexpr Socket::Seconds hearing_out_most{5};
constexpr std::size_t dropped_at_once_bytes = std::size_t{256} << 10;

const Routine& routine_of(const Module& module, const json& message) {
  const auto name = field_of<std::string>(message, "routine");
  if (const Routine* found = module.find(name)) return *found;
  throw error("serve a call", fmt::format("module {} has no routine {}", module.name, name),
              "choose one of the server's routines");
}

void add_file(const Parameter& parameter, const json& message, StagedCall& call) {
  if (parameter.is_returned()) call.returned_files.push_back(parameter.name);
  if (!parameter.is_sent()) return;
  const auto sizes = field_of<json>(message, "files");
  call.sent_files.push_back(
      {parameter.name, -1, field_of<std::int64_t>(sizes, parameter.name.c_str())});
}

/// Which arrays and files follow the message, and which follow its answer.
StagedCall staged_call_of(const Routine& routine, const CallLayout& layout, const CallLayout& whole,
                          const json& message) {
  StagedCall call{message, wire_format_in(message)};
  call.message.erase("wire");  // The ranks are sent what they have in memory.
  if (call.wire != WireFormat::native) call.message["callback_wire"] = name_of(call.wire);
  const bool is_call = field_of<std::string>(message, "message") == "call";
  const std::string kept_one = field_or<std::string>(message, "parameter", "");
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const Parameter& parameter = routine.parameters[i];
    if (is_call && parameter.content == Content::file) add_file(parameter, message, call);
    if (!layout[i] || message.value("kept", json::object()).contains(parameter.name)) continue;
    const StagedArray array{parameter, *layout[i], *whole[i]};
    if (is_call ? parameter.is_sent() : parameter.name == kept_one) call.sent.push_back(array);
    if (is_call && parameter.is_returned()) call.returned.push_back(array);
  }
  return call;
}

}  // namespace

json staged_results(std::int64_t start_ns, const std::vector<json>& answers,
                    const StagingTerms& terms) {
  const double whole_s = seconds_since(start_ns);
  terms.ranks_have_answered(whole_s);
  json results = {{"message", "results"},
                  {"seconds", {{"call", whole_s}, {"ranks", json::array()}}}};
  for (const json& one : answers) results["seconds"]["ranks"].push_back(one.at("seconds"));
  for (const char* const name : {"texts", "files"}) {
    if (answers.front().contains(name)) results[name] = answers.front()[name];
  }
  return results;
}

ServeCallback pass_to(Socket& client) {
  return [&client](const json& message, Socket& rank) {
    Socket* const to_client[] = {&client};
    Socket* const to_rank[] = {&rank};
    send_frame(client, message);
    pass_bytes(rank, to_client, field_of<std::int64_t>(message, "bytes"));
    await_message(client);
    const json answer = receive_frame(client);
    send_frame(rank, answer);
    pass_bytes(client, to_rank, field_of<std::int64_t>(answer, "bytes"));
  };
}

Staging staging_of(std::string_view mode) noexcept {
  if (mode == "original") return call_original;
  return mode == "buffering" ? call_buffering : nullptr;
}

void StagedCalls::serve() {
  client_.set_timeout(staged_.client_most);
  while (has_next()) serve(receive_frame(client_));
}

bool StagedCalls::has_next() const {
  if (client_.has_ahead()) return true;
  std::vector<pollfd> watched = {{client_.descriptor(), POLLIN, 0}};
  for (int rank = 0; rank < ranks_.ranks(); ++rank) {
    watched.push_back({ranks_[rank].socket().descriptor(), POLLRDHUP, 0});
  }
  while (poll(watched.data(), watched.size(), vanished_host_look_interval_ms) <= 0) {
    client_.check_host("receive");
  }
  return !ranks_.has_ended();
}

void StagedCalls::serve(const json& message) {
  const std::int64_t start_ns = base::now_ns();
  const std::int64_t calls_before_count = ranks_.calls_count();
  try {
    call(message);
    staged_.tell_seconds(ranks_.calls_count(), {seconds_since(start_ns), true});
  } catch (const Lost& fault) {
    send_frame(client_, refusal_of(fault));  // By every rank, and all can go on.
    staged_.tell_seconds(ranks_.calls_count(), {seconds_since(start_ns), true});
  } catch (const FailedCall& fault) {
    if (!client_.has_ended()) send_frame(client_, failure_of(fault));
    throw;
  } catch (const TooSlow&) {
    staged_.terms.client_is_slow(ranks_.calls_count() > calls_before_count);
    throw;
  } catch (const error& fault) {
    // If the lease has ended, the client asks whether the call has begun, as without the front end.
    if (client_.has_ended() || ranks_.has_ended()) throw;
    send_frame(client_, failure_of(fault));
    hear_out();
    throw;
  }
}

void StagedCalls::hear_out() {
  std::vector<std::byte> dropped(dropped_at_once_bytes);
  client_.set_timeout(hearing_out_most);
  try {
    while (!ranks_.has_ended()) client_.receive_some(dropped);  // With the lease this ends, too.
  } catch (const error&) {
    return;  // It has gone, or waits.
  }
}

void StagedCalls::call(const json& message) {
  StagingTerms terms = staged_.terms;
  terms.ranks_have_answered = [this](double seconds) {
    staged_.tell_seconds(ranks_.calls_count(), {seconds, false});
  };
  if (!message.contains("routine")) return staged_.staging(client_, ranks_, {message}, terms);
  const Routine& described = routine_of(staged_.module, message);
  const bool is_call = field_of<std::string>(message, "message") == "call";
  std::optional<Routine> of_kept;
  if (!is_call) of_kept = without_ranges(described);
  const Routine& routine = of_kept ? *of_kept : described;
  const Integers integers = integers_of(routine, field_of<json>(message, "scalars"));
  const CallLayout layout = layout_of(routine, integers, ranks_.ranks());
  const json sizes = message.value("files", json::object());
  check_call_bytes(routine, layout, is_call ? sent_file_bytes(routine, sizes) : 0,
                   staged_.call_most_bytes);
  const CallLayout whole = whole_layout_of(routine, integers);
  staged_.staging(client_, ranks_, staged_call_of(routine, layout, whole, message), terms);
}

}  // namespace tasuki::rpc
