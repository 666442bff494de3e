#include "rpc/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/client/call_fault.hpp"
#include "rpc/client/changed_routines.hpp"
#include "rpc/client/check_arguments.hpp"
#include "rpc/client/file_arguments.hpp"
#include "rpc/client/held_ranks.hpp"
#include "rpc/client/named_arguments.hpp"
#include "rpc/client/operations.hpp"
#include "rpc/client/place_arrays.hpp"
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
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/seconds_since.hpp"
#include "rpc/wire/secret.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A call waits for so long after all servers have been asked: one may be started anew just then.
constexpr std::array<ServerTries::Pause, 2> pauses_of_call = {ServerTries::Pause(200),
                                                              ServerTries::Pause(800)};
/// Of a call that no rank begins: other clients take the ranks before it once at most.
constexpr int tries_most = 5;
/// Of a pause: how often the program around is asked whether it shall end.
constexpr ServerTries::Pause interrupt_interval{50};

std::vector<RankAddress> addresses_from(const json& leased, bool is_encrypted) {
  std::vector<RankAddress> ranks;
  for (const json& one : field_of<json>(leased, "ranks")) {
    ranks.push_back(rank_address_from(one, is_encrypted));
  }
  return ranks;
}

/// Puts what the ranks, or the front end for them, have said of a call that has ended well into its
/// report. Throws std::exception if it is malformed.
void take_answers(const Routine& routine, const Integers& integers, std::vector<json> answers,
                  bool is_staged, CallReport& report) {
  if (answers.front().contains("texts")) {
    report.texts = std::move(answers.front()["texts"]);
    check_texts(routine, integers, report.texts, &Parameter::is_returned);
  }
  report.take_seconds(std::move(answers), is_staged);
}

CallFault cancelled(bool may_have_run) {
  return {NamedError(cancelled_kind, "call", "the call was cancelled", "call again"), may_have_run};
}

}  // namespace

struct Client::EndOfProgress {
  Client& client;
  ~EndOfProgress() { client.end_progress(); }
};

/// Begins unless the client has ended. A call that was cancelled ends with the connections.
class Client::UnderWay {
 public:
  explicit UnderWay(Client& client) : client_(client) {
    const std::lock_guard guard(client.mutex_);
    if (client.is_ended_) throw cancelled(false);
    client.is_under_way_ = true;
  }
  ~UnderWay() {
    if (client_.is_cancelled_) client_.disconnect();
    const std::lock_guard guard(client_.mutex_);
    client_.is_under_way_ = false;
    client_.is_cancelled_ = client_.is_ended_;
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  Client& client_;
};

Client::Client(std::vector<Endpoint> servers, Credentials credentials)
    : servers_(std::move(servers)), credentials_(std::move(credentials)) {
  ServerTries tries(servers_, {});
  while (server_ == nullptr) {
    try {
      connect();
    } catch (const ServerGone& fault) {
      tries.note(current_, fault);
      move_on();
    }
  }
}

void Client::connect() {
  auto server = std::make_unique<ServerLink>(servers_[current_], credentials_);
  OfferedInterfaces offered = server->ask_interfaces();
  if (modules_.empty()) {
    for (json& one : offered.modules) modules_.push_back(module_from_json(std::move(one)));
    first_server_ = current_;
  } else {
    changed_routines_ = changed_routines(modules_, offered.modules);
  }
  revision_ = offered.revision;
  mode_ = wanted_mode_;
  set_server(std::move(server));
}

void Client::set_server(std::unique_ptr<ServerLink> server) noexcept {
  const std::lock_guard guard(mutex_);
  server_ = std::move(server);
  if (is_cancelled_ && server_ != nullptr) server_->shut_down();
}

void Client::disconnect() noexcept {
  const std::lock_guard guard(mutex_);
  calling_ = nullptr;
  links_.clear();
  server_ = nullptr;
}

bool Client::is_connected() const noexcept {
  return !is_cancelled_ && server_ != nullptr && !server_->has_ended();
}

void Client::require_server(const ServerTries& tries) {
  pause(tries.pause());
  if (is_cancelled_) throw cancelled(false);
  if (server_ == nullptr) return connect();
  if (!server_->has_ended()) return;
  throw ServerGone(
      error("call", fmt::format("{} has ended the connection", server_->peer()), "call again"));
}

void Client::pause(ServerTries::Pause pause) {
  const auto deadline = ServerTries::Clock::now() + pause;
  while (ServerTries::Clock::now() < deadline && !is_cancelled_) {
    if (is_interrupted()) throw Interrupted("call");
    std::unique_lock lock(mutex_);
    const auto end = std::min(deadline, ServerTries::Clock::now() + interrupt_interval);
    interrupted_.wait_until(lock, end, [this] { return is_cancelled_.load(); });
  }
}

void Client::turn_from_server(const std::string& operation, const error& fault,
                              ServerTries& tries) {
  if (is_cancelled_) throw cancelled(may_have_run_);
  // It was this end that has ended the connection.
  if (dynamic_cast<const Interrupted*>(&fault) != nullptr && !is_connected()) disconnect();
  if (is_silence(fault)) disconnect();
  if (is_silence(fault) && (may_have_run_ || servers_.size() == 1)) {
    throw CallFault(NamedError(silent_kind, operation, fault.happened(), fault.remedy()),
                    may_have_run_);
  }
  const bool has_refused = kind_of(fault) == draining_kind;
  const bool is_gone = dynamic_cast<const ServerGone*>(&fault) != nullptr;
  if (may_have_run_ || !(has_refused || is_gone)) throw CallFault(fault, may_have_run_);
  disconnect();
  try {
    tries.note(current_, fault);
  } catch (const error& of_all) {
    throw CallFault(of_all, false);
  }
  move_on();
}

const Module& Client::find(const std::string& module) const {
  const auto found = std::ranges::find(modules_, module, &Module::name);
  if (found != modules_.end()) return *found;
  throw error("call a routine", fmt::format("{} has no module {}", text_of(server()), module),
              "choose one of the server's modules");
}

const Routine& Client::find(const std::string& module, const std::string& routine) const {
  if (const Routine* const found = find(module).find(routine)) return *found;
  throw error("call a routine",
              fmt::format("{} has no routine {}/{}", text_of(server()), module, routine),
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
      json leased = server_->ask(message);
      front_end_s_ += seconds_since(start_ns);
      call_most_bytes_[module] = field_or(leased, "call_most_bytes", no_call_limit);
      keep_allowances_[module] = keep_allowance_from(leased);
      return leased;
    } catch (const NamedError& fault) {
      if (fault.kind() != changed_kind) throw;
    }
    learn_changes();
    check_unchanged(module);
  }
}

void Client::learn_changes() {
  const OfferedInterfaces offered = server_->ask_interfaces();
  changed_routines_ = changed_routines(modules_, offered.modules);
  revision_ = offered.revision;
}

void Client::check_unchanged(const std::string& module) const {
  const std::string name = fmt::format("{}/{}", module, routine_);
  if (!changed_routines_.contains(name)) return;
  const std::string happened =
      current_ == first_server_
          ? "the routine takes other arguments since the client connected, or is not there any more"
          : fmt::format("the routine takes other arguments on {} than on {}, or is not there",
                        url_of(server()), url_of(servers_[first_server_]));
  throw NamedError(changed_kind, fmt::format("call {}", name), happened, "connect again");
}

RankLinks& Client::links_to(const std::string& module) {
  const auto found = links_.find(module);
  if (found != links_.end() && !found->second.has_ended()) return found->second;
  forget_links(module);
  RankLinks made = connect_to(module);
  const std::lock_guard guard(mutex_);
  RankLinks& links = links_.try_emplace(module, std::move(made)).first->second;
  if (is_cancelled_) links.shut_down();
  if (server_->is_watched()) {
    links.watch([this, &links] { server_->check(links.moved_bytes()); });
  }
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
  const auto ranks = addresses_from(lease(module), server().is_encrypted);
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
  const auto ranks = addresses_from(lease(module), server().is_encrypted);
  RankLinks made(ranks, wire_ == WireFormat::native);
  if (made.share_memory()) return made;
  throw error("share memory with ranks",
              "they are on another machine or of another user, numbers travel as XDR, or this"
              " system forbids it",
              "choose the mode hand-off or auto");
}

RankLinks Client::connect_directly(const std::string& module) {
  return RankLinks(addresses_from(lease(module), server().is_encrypted));
}

RankLinks Client::connect_through_front_end(const std::string& module, TransferMode mode) {
  std::vector<RankAddress> ranks;
  const json leased = lease(module, {{"through", name_of(mode)}, {"mode", name_of(mode)}});
  for (const json& one : field_of<json>(leased, "ranks")) {
    ranks.push_back({server(), field_of<std::string>(one, "ticket")});
  }
  return RankLinks(ranks);
}

RankLinks Client::connect_by_call_back(const std::string& module) {
  Listener listener({server_->own_host(), 0});
  Admission admission(listener, server().is_encrypted);
  WakeUp wake_up;
  const json leased = lease(module, {{"call_back", listener.port()}});
  std::vector<std::string> tickets;
  for (const RankAddress& one : addresses_from(leased, server().is_encrypted))
    tickets.push_back(one.ticket);
  std::vector<std::optional<Socket>> ranks(tickets.size());
  for (std::size_t count = 0; count < tickets.size(); ++count) {
    auto admitted = admission.await(tickets, wake_up, [this] { return is_cancelled_.load(); });
    if (!admitted) {
      throw error("wait for ranks", fmt::format("{} of {} have called back", count, tickets.size()),
                  "choose the mode hand-off or relay");
    }
    admitted->socket.name_peer(fmt::format("rank {}", admitted->index));
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
  const std::lock_guard guard(mutex_);
  if (is_under_way_) interrupt();
}

void Client::end() noexcept {
  const std::lock_guard guard(mutex_);
  is_ended_ = true;
  interrupt();
}

void Client::interrupt() noexcept {
  is_cancelled_ = true;
  if (server_ != nullptr) server_->shut_down();
  for (auto& [module, links] : links_) links.shut_down();
  interrupted_.notify_all();
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
  const UnderWay under_way(*this);
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
    place_arrays(description, layout, arrays, reads_memory(links), exchange);
    report.mode = mode_of(links);
    report.sent_bytes = exchange.sent_bytes();
    report.received_bytes = exchange.returned_bytes();
    return exchange;
  };
  const std::int64_t start_ns = base::now_ns();
  std::vector<json> answers =
      call_ranks(module, {description, integers, files.sent_bytes()}, exchange_on);
  report.server = url_of(server());
  report.client_s = seconds_since(start_ns);
  report.front_end_s = front_end_s_;
  try {
    files.keep();
    take_answers(description, integers, std::move(answers), is_staged(mode_), report);
  } catch (const std::exception& fault) {
    throw CallFault(as_error(fault), true);
  }
  return report;
}

std::string Client::put(const std::string& module, const std::string& routine,
                        const std::string& parameter, const json& scalars,
                        const ArrayArgument& array) {
  const UnderWay under_way(*this);
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
               keep_allowances_[module].check(*layout[index]);
               Exchange exchange{{{"message", "keep"},
                                  {"routine", routine},
                                  {"scalars", scalars},
                                  {"parameter", parameter},
                                  {"array", id}}};
               exchange.sent.push_back(
                   placed_array(*found, *layout[index], array, reads_memory(links), exchange));
               return exchange;
             });
  return id;
}

std::string Client::make(const std::string& module, const std::string& class_name) {
  const UnderWay under_way(*this);
  if (find(module).find_class(class_name) == nullptr) {
    throw error("make an object",
                fmt::format("{} has no class {}/{}", text_of(server()), module, class_name),
                "choose one of the server's classes");
  }
  const std::string id = make_secret();
  tell_ranks(module, {{"message", "make"}, {"object", id}, {"class", class_name}});
  return id;
}

void Client::free(const std::string& module, const std::string& id) {
  const UnderWay under_way(*this);
  find(module);
  tell_ranks(module, {{"message", "free"}, {"name", id}});
}

template <class Work>
auto Client::on_server(const std::string& operation, Work work) {
  ServerTries tries(servers_, pauses_of_call);
  while (true) {
    may_have_run_ = false;
    try {
      require_server(tries);
      return work();
    } catch (const error& fault) {
      turn_from_server(operation, fault, tries);
    }
  }
}

json Client::ask_of_kept(const std::string& operation, const json& message) {
  const UnderWay under_way(*this);
  return on_server(operation, [&] {
    may_have_run_ = message.at("message") == "discard";
    try {
      json answer = server_->exchange(message);
      may_have_run_ = false;
      if (answer.contains("happened")) throw_refusal(answer);
      return answer;
    } catch (const ServerGone& fault) {  // Another server keeps other things.
      disconnect();
      throw NamedError(kind_of(fault), operation, fault.happened(), fault.remedy());
    }
  });
}

json Client::kept() {
  return field_of<json>(ask_of_kept("list what is kept", {{"message", "kept"}}), "kept");
}

bool Client::discard(const std::string& id) {
  const json message = {{"message", "discard"}, {"name", id}};
  return field_of<bool>(ask_of_kept("free what is kept", message), "is_freed");
}

void Client::tell_ranks(const std::string& module, const json& message) {
  call_ranks(module, {Routine{}, {}},
             [&](const RankLinks&, const CallLayout&) { return Exchange{message}; });
}

template <class ExchangeOn>
std::vector<json> Client::call_ranks(const std::string& module, const Described& described,
                                     ExchangeOn exchange_on) {
  routine_ = described.routine.name;
  front_end_s_ = 0;
  const std::string operation = routine_.empty() ? module : fmt::format("{}/{}", module, routine_);
  return on_server("call " + operation,
                   [&] { return call_ranks_here(module, described, exchange_on); });
}

template <class ExchangeOn>
std::vector<json> Client::call_ranks_here(const std::string& module, const Described& described,
                                          ExchangeOn exchange_on) {
  const std::int64_t start_ns = base::now_ns();
  for (int tries_count = 1;; ++tries_count) {
    check_unchanged(module);
    const HeldRanks held(server_->address(), module);
    RankLinks& links = links_to(module);
    const CallLayout layout = is_staged(mode_)
                                  ? whole_layout_of(described.routine, described.integers)
                                  : layout_of(described.routine, described.integers, links.ranks());
    check_call_bytes(described.routine, layout, described.file_bytes, call_most_bytes_[module]);
    Exchange exchange = exchange_on(links, layout);
    exchange.wire = wire_;
    if (front_end_s_ > 0) exchange.message["waited_s"] = seconds_since(start_ns);
    begin_progress(links, exchange.sent_bytes() + exchange.returned_bytes());
    const EndOfProgress end{*this};
    may_have_run_ = true;
    try {
      return links.call(std::move(exchange));
    } catch (const Lost&) {
      may_have_run_ = false;  // All ranks have refused it.
      throw;
    } catch (const Interrupted&) {
      forget_links(module);
      throw;
    } catch (const CallbackFault&) {
      give_up(module, links.calls_count());
      throw;
    } catch (const FailedCall&) {
      try {
        // Throws what the front end knows, if it does.
        if (!has_begun(module, links.calls_count())) may_have_run_ = false;
      } catch (const ServerGone&) {  // What the rank has said tells more.
        disconnect();
      }
      throw;
    } catch (const error& fault) {
      if (links.moved_bytes() == moved_before_bytes_) may_have_run_ = false;  // Nothing was sent.
      if (is_cancelled_ || is_silence(fault) || has_begun(module, links.calls_count())) throw;
      may_have_run_ = false;
      if (tries_count == tries_most) throw;
    } catch (const std::exception& fault) {  // What is still to come belongs to no other call.
      give_up(module, links.calls_count());
      throw error(as_error(fault));
    } catch (...) {
      give_up(module, links.calls_count());
      throw;
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
  try {
    const json settled = server_->exchange({{"message", "settle"}, {"module", module}});
    if (!field_or(settled, "has_run", true)) may_have_run_ = false;
    if (settled.contains("happened")) throw_refusal(settled);
    return call <= field_of<std::int64_t>(settled, "calls");
  } catch (const NamedError& fault) {
    if (fault.kind() == given_up_kind) return true;
    throw;
  }
}

}  // namespace tasuki::rpc
