#include "rpc/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/client/changed_routines.hpp"
#include "rpc/client/check_arguments.hpp"
#include "rpc/client/file_arguments.hpp"
#include "rpc/client/operations.hpp"
#include "rpc/client/serve_callback.hpp"
#include "rpc/interface/call_bytes.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/texts.hpp"
#include "rpc/links/admission.hpp"
#include "rpc/links/callback_fault.hpp"
#include "rpc/links/failed_call.hpp"
#include "rpc/links/lost.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/interrupt.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/rank_seconds.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/secret.hpp"
#include "rpc/wire/short_run.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};
/// A front end answers at once; who does not is none.
constexpr Socket::Seconds greeting_timeout{5};
constexpr Socket::Seconds for_ever{0};
/// Shorter arrays are sent with the message.
constexpr std::int64_t read_from_memory_bytes = std::int64_t{64} << 10;

std::vector<RankAddress> addresses_from(const json& leased, bool is_encrypted) {
  std::vector<RankAddress> ranks;
  for (const json& one : field_of<json>(leased, "ranks")) {
    ranks.push_back(rank_address_from(one, is_encrypted));
  }
  return ranks;
}

double seconds_since(std::int64_t start_ns) {
  return static_cast<double>(base::now_ns() - start_ns) * 1e-9;
}

/// Is it worth the system calls to read the array's blocks from memory?
bool is_long(const layout::ArrayLayout& layout, const layout::ArrayView& view) {
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    const auto run = layout::RunCursor(layout, rank, view).next();
    if (run && run->bytes < static_cast<std::int64_t>(short_run_bytes)) return false;
  }
  return layout.whole_selected_bytes() >= read_from_memory_bytes;
}

json description_of(const ArrayArgument& array) {
  return {{"address", reinterpret_cast<std::uintptr_t>(array.memory)},
          {"first_offset_bytes", array.view.first_offset_bytes},
          {"stride_bytes", array.view.stride_bytes}};
}

/// An array of the exchange, of which the ranks are told where it is if they shall read it.
PlacedArray placed(const Parameter& parameter, const layout::ArrayLayout& layout,
                   const ArrayArgument& array, bool shares_memory, Exchange& exchange) {
  const bool is_in_memory = shares_memory && !array.is_byte_swapped && is_long(layout, array.view);
  if (is_in_memory) exchange.message["memory"][parameter.name] = description_of(array);
  return {parameter, layout, array, is_in_memory};
}

/// The arrays of a call that travel to the ranks, from them, or stay there.
void place(const Routine& routine, const CallLayout& layout, const std::vector<CallArray>& arrays,
           bool shares_memory, Exchange& exchange) {
  auto next = arrays.begin();
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (!layout[i]) continue;
    const Parameter& parameter = routine.parameters[i];
    const CallArray& array = *next++;
    if (const auto* kept = std::get_if<KeptArray>(&array)) {
      exchange.message["kept"][parameter.name] = kept->id;
      continue;
    }
    const PlacedArray one =
        placed(parameter, *layout[i], std::get<ArrayArgument>(array), shares_memory, exchange);
    if (parameter.is_sent()) exchange.sent.push_back(one);
    if (parameter.is_returned()) exchange.returned.push_back(one);
  }
}

/// Throws tasuki::error if a method is called without an object, or something else with one.
void check_object(const Routine& routine, const std::string& object) {
  if (routine.is_method() == !object.empty()) return;
  const std::string operation = fmt::format("call {}", routine.name);
  if (routine.is_method()) {
    throw error(operation, "it is a method, and no object is given",
                fmt::format("make an object of {}, and call its method", routine.class_name()));
  }
  throw error(operation, "it is no method, and an object is given", "call it without an object");
}

/// What a call takes besides arrays, by what it holds.
struct NamedArguments {
  json numbers = json::object();
  json texts = json::object();  ///< Arrays of texts.
  std::map<std::string, std::string> files = {};
};

NamedArguments named_arguments(const Routine& routine, const json& scalars) {
  NamedArguments given{scalars};
  for (const Parameter& one : routine.parameters) {
    if (one.content == Content::numbers || !scalars.contains(one.name)) continue;
    json value = given.numbers[one.name];
    given.numbers.erase(one.name);
    if (one.content == Content::texts) {
      given.texts[one.name] = value.is_string() ? json::array({value}) : value;
    } else if (value.is_string()) {
      given.files[one.name] = value.get<std::string>();
    }
  }
  return given;
}

}  // namespace

struct Client::EndOfProgress {
  Client& client;
  ~EndOfProgress() { client.end_progress(); }
};

Client::Client(const Endpoint& server, const Credentials& credentials)
    : endpoint_(server), server_(Socket::connect(server, connect_timeout)) {
  if (server.is_encrypted) {
    server_.encrypt(TlsContext::for_clients(credentials.ca_file), server.host, greeting_timeout);
  }
  server_.set_timeout(greeting_timeout);
  greet(credentials.token);
  const json answer = ask({{"message", "interfaces"}});
  for (json& one : field_of<std::vector<json>>(answer, "modules")) {
    modules_.push_back(module_from_json(std::move(one)));
  }
  revision_ = field_of<std::int64_t>(answer, "revision");
  server_.set_timeout(for_ever);  // Calls take their time.
}

void Client::greet(const std::string& token) {
  json hello = {{"message", "hello"}, {"protocol", protocol_version}};
  if (!token.empty()) {
    if (!endpoint_.is_encrypted && !is_loopback(server_.peer_host())) {
      throw NamedError(access_kind, "connect",
                       fmt::format("the token would travel to {} unencrypted", server_.peer()),
                       "give tasukis:// in place of tasuki://");
    }
    hello["token"] = token;
  }
  ask(hello);
}

json Client::ask(const json& message) {
  json answer;
  try {
    send_frame(server_, message);
    answer = receive_frame(server_);
  } catch (const Interrupted&) {
    server_.shut_down();  // Else the answer would be taken for that to the next question.
    throw;
  }
  if (answer.contains("happened")) throw_refusal(answer);
  return answer;
}

const Module& Client::find(const std::string& module) const {
  const auto found = std::ranges::find(modules_, module, &Module::name);
  if (found != modules_.end()) return *found;
  throw error("call a routine", fmt::format("{} has no module {}", server_.peer(), module),
              "choose one of the server's modules");
}

const Routine& Client::find(const std::string& module, const std::string& routine) const {
  if (const Routine* const found = find(module).find(routine)) return *found;
  throw error("call a routine",
              fmt::format("{} has no routine {}/{}", server_.peer(), module, routine),
              "choose one of the server's routines");
}

json Client::lease(const std::string& module, const json& how) {
  json message = {{"message", "lease"}, {"module", module}};
  if (!routine_.empty()) message["routine"] = routine_;
  if (mode_ != TransferMode::automatic) message["mode"] = name_of(mode_);
  message.update(how);
  const std::int64_t start_ns = base::now_ns();
  while (true) {
    message["revision"] = revision_;
    try {
      json leased = ask(message);
      front_end_s_ += seconds_since(start_ns);
      call_most_bytes_[module] = field_or(leased, "call_most_bytes", no_call_limit);
      return leased;
    } catch (const NamedError& fault) {
      if (fault.kind() != changed_kind) throw;
    }
    learn_changes();
    check_unchanged(module);
  }
}

void Client::learn_changes() {
  const json answer = ask({{"message", "interfaces"}});
  changed_routines_ = changed_routines(modules_, field_of<std::vector<json>>(answer, "modules"));
  revision_ = field_of<std::int64_t>(answer, "revision");
}

void Client::check_unchanged(const std::string& module) const {
  const std::string name = fmt::format("{}/{}", module, routine_);
  if (!changed_routines_.contains(name)) return;
  throw NamedError(changed_kind, fmt::format("call {}", name),
                   "the routine takes other arguments since the client connected, or is not there "
                   "any more",
                   "connect again");
}

RankLinks& Client::links_to(const std::string& module) {
  const auto found = links_.find(module);
  if (found != links_.end() && !found->second.has_ended()) return found->second;
  forget_links(module);
  RankLinks made = connect_to(module);
  const std::lock_guard guard(mutex_);
  RankLinks& links = links_.try_emplace(module, std::move(made)).first->second;
  if (is_cancelled_) links.shut_down();
  return links;
}

RankLinks Client::connect_to(const std::string& module) {
  switch (mode_) {
    case TransferMode::memory:
      return connect_by_memory(module);
    case TransferMode::hand_off:
      return connect_directly(module);
    case TransferMode::sequential: {
      RankLinks made = connect_directly(module);
      made.take_turns();
      return made;
    }
    case TransferMode::call_back:
      return connect_by_call_back(module);
    case TransferMode::relay:
    case TransferMode::buffering:
    case TransferMode::original:
      return connect_through_front_end(module, mode_);
    case TransferMode::automatic:
      break;
  }
  const auto ranks = addresses_from(lease(module), endpoint_.is_encrypted);
  try {
    return RankLinks(ranks, wire_ == WireFormat::native);
  } catch (const Interrupted&) {
    throw;
  } catch (const error&) {
    RankLinks made = connect_through_front_end(module, TransferMode::relay);
    mode_ = TransferMode::relay;
    return made;
  }
}

RankLinks Client::connect_by_memory(const std::string& module) {
  const auto ranks = addresses_from(lease(module), endpoint_.is_encrypted);
  RankLinks made(ranks, wire_ == WireFormat::native);
  if (made.share_memory()) return made;
  throw error("share memory with ranks",
              "they are on another machine or of another user, numbers travel as XDR, or this"
              " system forbids it",
              "choose the mode hand-off or auto");
}

RankLinks Client::connect_directly(const std::string& module) {
  return RankLinks(addresses_from(lease(module), endpoint_.is_encrypted));
}

RankLinks Client::connect_through_front_end(const std::string& module, TransferMode mode) {
  std::vector<RankAddress> ranks;
  const json leased = lease(module, {{"through", name_of(mode)}, {"mode", name_of(mode)}});
  for (const json& one : field_of<json>(leased, "ranks")) {
    ranks.push_back({endpoint_, field_of<std::string>(one, "ticket")});
  }
  return RankLinks(ranks);
}

RankLinks Client::connect_by_call_back(const std::string& module) {
  Listener listener({server_.own_host(), 0});
  Admission admission(listener, endpoint_.is_encrypted);
  WakeUp wake_up;
  const json leased = lease(module, {{"call_back", listener.port()}});
  std::vector<std::string> tickets;
  for (const RankAddress& one : addresses_from(leased, endpoint_.is_encrypted))
    tickets.push_back(one.ticket);
  std::vector<std::optional<Socket>> ranks(tickets.size());
  for (std::size_t count = 0; count < tickets.size(); ++count) {
    auto admitted = admission.await(tickets, wake_up, [this] { return is_cancelled_.load(); });
    if (!admitted) {
      throw error("wait for ranks", fmt::format("{} of {} have called back", count, tickets.size()),
                  "choose the mode hand-off or relay");
    }
    ranks[admitted->index] = std::move(admitted->socket);
    tickets[admitted->index].clear();  // It is good for one connection.
  }
  std::vector<Socket> sockets;
  for (std::optional<Socket>& one : ranks) sockets.push_back(std::move(*one));
  return RankLinks(std::move(sockets));
}

void Client::forget_links(const std::string& module) {
  const std::lock_guard guard(mutex_);
  calling_ = nullptr;
  links_.erase(module);
}

void Client::cancel() noexcept {
  is_cancelled_ = true;
  server_.shut_down();
  const std::lock_guard guard(mutex_);
  for (auto& [module, links] : links_) links.shut_down();
}

Progress Client::progress() const {
  const std::lock_guard guard(mutex_);
  if (calling_ == nullptr) return {};
  return {calling_->moved_bytes() - moved_before_bytes_, total_bytes_};
}

void Client::begin_progress(const RankLinks& links, std::int64_t total_bytes) {
  const std::lock_guard guard(mutex_);
  calling_ = &links;
  moved_before_bytes_ = links.moved_bytes();
  total_bytes_ = total_bytes;
}

void Client::end_progress() {
  const std::lock_guard guard(mutex_);
  calling_ = nullptr;
}

CallReport Client::call(const std::string& module, const std::string& routine, const json& scalars,
                        const std::vector<CallArray>& arrays, const std::string& object,
                        const ClientFunctions& functions) {
  const Routine& description = find(module, routine);
  check_object(description, object);
  const NamedArguments given = named_arguments(description, scalars);
  const Integers integers = integers_of(description, given.numbers);
  // Errors in the arguments are found before the server does anything.
  check_arguments(description, whole_layout_of(description, integers), arrays);
  check_texts(description, integers, given.texts, &Parameter::is_sent);
  check_functions(description, functions);
  FileArguments files(description, given.files);
  CallReport report{.wire = wire_, .operations = operations_of(description, integers)};
  const auto exchange_on = [&](const RankLinks& links, const CallLayout& layout) {
    Exchange exchange{{{"message", "call"}, {"routine", routine}, {"scalars", given.numbers}}};
    if (!given.texts.empty()) exchange.message["texts"] = given.texts;
    files.place(exchange);
    exchange.serve_callback = serve_callback_of(description, integers, wire_, functions);
    if (!object.empty()) exchange.message["object"] = object;
    place(description, layout, arrays, reads_memory(links), exchange);
    report.mode = mode_of(links);
    report.sent_bytes = exchange.sent_bytes();
    report.received_bytes = exchange.returned_bytes();
    return exchange;
  };
  const std::int64_t start_ns = base::now_ns();
  std::vector<json> answers = call_ranks(module, {description, integers}, exchange_on);
  report.client_s = seconds_since(start_ns);
  report.front_end_s = front_end_s_;
  files.keep();
  if (answers.front().contains("texts")) {
    report.texts = std::move(answers.front()["texts"]);
    check_texts(description, integers, report.texts, &Parameter::is_returned);
  }
  if (is_staged(mode_)) {
    json of_front_end = std::move(answers.front()["seconds"]);
    for (const json& one : field_of<std::vector<json>>(of_front_end, "ranks")) {
      report.ranks.push_back(rank_seconds_from(one));
    }
    of_front_end.erase("ranks");
    report.front_end_s += field_of<double>(of_front_end, "call");
    report.front_end = std::move(of_front_end);
  } else {
    for (const json& one : answers) report.ranks.push_back(rank_seconds_from(one.at("seconds")));
  }
  return report;
}

std::string Client::put(const std::string& module, const std::string& routine,
                        const std::string& parameter, const json& scalars,
                        const ArrayArgument& array) {
  const Routine description = without_ranges(find(module, routine));
  const Integers integers = integers_of(description, scalars);
  const auto& all = description.parameters;
  const auto found = std::ranges::find(all, parameter, &Parameter::name);
  if (found == all.end() || !found->is_array()) {
    throw error("put an array", fmt::format("{} has no array {}", routine, parameter),
                "choose one of the routine's arrays");
  }
  const auto index = static_cast<std::size_t>(found - all.begin());
  check_array(description, *found, *whole_layout_of(description, integers)[index], array);
  std::string id = make_secret();
  call_ranks(module, {description, integers},
             [&](const RankLinks& links, const CallLayout& layout) {
               Exchange exchange{{{"message", "keep"},
                                  {"routine", routine},
                                  {"scalars", scalars},
                                  {"parameter", parameter},
                                  {"array", id}}};
               exchange.sent.push_back(
                   placed(*found, *layout[index], array, reads_memory(links), exchange));
               return exchange;
             });
  return id;
}

std::string Client::make(const std::string& module, const std::string& class_name) {
  if (find(module).find_class(class_name) == nullptr) {
    throw error("make an object",
                fmt::format("{} has no class {}/{}", server_.peer(), module, class_name),
                "choose one of the server's classes");
  }
  const std::string id = make_secret();
  tell_ranks(module, {{"message", "make"}, {"object", id}, {"class", class_name}});
  return id;
}

void Client::free(const std::string& module, const std::string& id) {
  find(module);
  tell_ranks(module, {{"message", "free"}, {"name", id}});
}

json Client::kept() { return field_of<json>(ask({{"message", "kept"}}), "kept"); }

bool Client::discard(const std::string& id) {
  return field_of<bool>(ask({{"message", "discard"}, {"name", id}}), "is_freed");
}

void Client::tell_ranks(const std::string& module, const json& message) {
  call_ranks(module, {Routine{}, {}},
             [&](const RankLinks&, const CallLayout&) { return Exchange{message}; });
}

template <class ExchangeOn>
std::vector<json> Client::call_ranks(const std::string& module, const Described& described,
                                     ExchangeOn exchange_on) {
  const std::int64_t start_ns = base::now_ns();
  routine_ = described.routine.name;
  front_end_s_ = 0;
  while (true) {
    check_unchanged(module);
    RankLinks& links = links_to(module);
    const CallLayout layout = is_staged(mode_)
                                  ? whole_layout_of(described.routine, described.integers)
                                  : layout_of(described.routine, described.integers, links.ranks());
    check_call_bytes(described.routine, layout, call_most_bytes_[module]);
    Exchange exchange = exchange_on(links, layout);
    exchange.wire = wire_;
    if (front_end_s_ > 0) exchange.message["waited_s"] = seconds_since(start_ns);
    begin_progress(links, exchange.sent_bytes() + exchange.returned_bytes());
    const EndOfProgress end{*this};
    try {
      return links.call(std::move(exchange));
    } catch (const Lost&) {
      throw;
    } catch (const Interrupted&) {
      forget_links(module);
      throw;
    } catch (const CallbackFault&) {
      give_up(module, links.calls_count());
      throw;
    } catch (const FailedCall&) {
      has_begun(module, links.calls_count());  // Throws what the front end knows, if it does.
      throw;
    } catch (const error&) {
      if (is_cancelled_) throw error("call", "the call was cancelled", "call again");
      if (has_begun(module, links.calls_count())) throw;
    }
  }
}

TransferMode Client::mode_of(const RankLinks& links) const noexcept {
  if (mode_ != TransferMode::automatic) return mode_;
  return links.share_memory() ? TransferMode::memory : TransferMode::hand_off;
}

bool Client::reads_memory(const RankLinks& links) const noexcept {
  return links.share_memory() && wire_ == WireFormat::native;
}

void Client::give_up(const std::string& module, std::int64_t call) {
  try {
    has_begun(module, call);
  } catch (const error&) {
    return;  // The caller knows better why.
  }
}

bool Client::has_begun(const std::string& module, std::int64_t call) {
  forget_links(module);
  const json settled = ask({{"message", "settle"}, {"module", module}});
  return call <= field_of<std::int64_t>(settled, "calls");
}

}  // namespace tasuki::rpc
