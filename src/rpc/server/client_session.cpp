#include "rpc/server/client_session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/client/transfer_mode.hpp"
#include "rpc/server/relay.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {

using nlohmann::json;

ClientSession::~ClientSession() {
  forget_tickets();
  try {
    if (has_spoken_) server_.audit.write("disconnect", description());
    for (const auto& [name, lease] : leases_) lease.module->settle(lease.number);
    for (const RankGroup& module : used_) module->forget(number_);
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

json ClientSession::description() const {
  return {{"client", {{"host", client_.peer_host()}, {"number", number_}}}, {"user", user_->name}};
}

json ClientSession::answer(const json& message) {
  if (!std::exchange(has_spoken_, true)) server_.audit.write("connect", description());
  try {
    const auto kind = field_of<std::string>(message, "message");
    if (kind == "interfaces") return interfaces();
    if (kind == "kept") return kept();
    if (kind == "discard") return discard(message);
    if (kind == "lease") return lease(message);
    if (kind == "settle") return settle(message);
    if (kind == "ask") return {{"message", "here"}};
    throw error("read a message", fmt::format("there is no message {}", kind),
                "let server and client use versions of Tasuki that know each other");
  } catch (const error& fault) {
    json facts = description();
    facts["happened"] = fault.happened();
    server_.audit.write("refusal", std::move(facts));
    return refusal_of(fault);
  }
}

json ClientSession::interfaces() const {
  json modules = json::array();
  std::string last;
  const OfferedModules offered = server_.modules.offered();
  for (const RankGroup& one : offered.groups) {
    // The groups of ranks of a module follow one another.
    if (one->module().name != std::exchange(last, one->module().name)) {
      modules.push_back(one->module().json);
    }
  }
  return {{"message", "interfaces"}, {"modules", modules}, {"revision", offered.revision}};
}

void ClientSession::await_news() {
  for (const auto& [name, lease] : leases_) lease.module->take_back(lease.number);
}

json ClientSession::kept() {
  await_news();
  const std::optional<double> most_s = server_.modules.limits().keep_most_s;
  return {{"message", "kept"}, {"kept", server_.kept.list(user_->name, most_s)}};
}

json ClientSession::discard(const json& message) {
  await_news();
  const auto name = field_of<std::string>(message, "name");
  const bool is_there =
      server_.control.free({*user_, client_.peer_host()}, name) == ServerControl::Outcome::done;
  return {{"message", "discarded"}, {"is_freed", is_there}};
}

RankGroup ClientSession::find(const std::string& name) const {
  RankGroup found;
  for (const RankGroup& one : server_.modules.offered().groups) {
    if (one->module().name != name) continue;
    // What the client has left on ranks is there, and nowhere else.
    if (used_.contains(one)) return one;
    if (!found || one->load() < found->load()) found = one;
  }
  if (found) return found;
  throw error("call a routine", fmt::format("there is no module {}", name),
              "choose one of the server's modules");
}

std::shared_ptr<const User> ClientSession::current_user() const {
  if (auto user = server_.users.current(*user_)) return user;
  throw NamedError(access_kind, "call", unknown_user_happened, unknown_user_remedy);
}

void ClientSession::check_knowledge(RoutineProcesses& module, const json& message) {
  user_ = current_user();
  const std::int64_t known =
      message.contains("revision") ? field_of<std::int64_t>(message, "revision") : 1;
  if (known < module.revision()) {
    throw NamedError(changed_kind, fmt::format("call {}", module.module().name),
                     "the interface has changed since the client connected", "connect again");
  }
}

json ClientSession::lease(const json& message) {
  const auto name = field_of<std::string>(message, "module");
  std::erase_if(used_, [](const RankGroup& one) { return one->is_retired(); });
  if (const auto last = leases_.extract(name)) last.mapped().module->settle(last.mapped().number);
  while (true) {
    const RankGroup module = find(name);
    check_knowledge(*module, message);
    try {
      return lease_of(module, message);
    } catch (const Retired&) {
      continue;  // The next one that is found has taken its place.
    }
  }
}

json ClientSession::lease_of(const RankGroup& module, const json& message) {
  LeaseRequest request{origin_of(message), user_};
  const std::string& routine = request.origin.routine;
  // Other names would be counted, and kept, as if there were such routines.
  if (!routine.empty() && module->module().find(routine) == nullptr) {
    throw error("call a routine",
                fmt::format("module {} has no routine {}", request.origin.module, routine),
                "choose one of the server's routines");
  }
  if (message.contains("call_back")) {
    request.call_back = {client_.peer_host(), field_of<std::uint16_t>(message, "call_back")};
  }
  const std::string mode = field_or<std::string>(message, "through", "");
  const Staging staging = staging_of(mode);
  if (!mode.empty() && mode != "relay" && staging == nullptr) {
    throw error("call", fmt::format("there is no way {} through the front end", mode),
                "let server and client use versions of Tasuki that know each other");
  }
  server_.modules.make_room_for(*user_);
  request.is_staged = staging != nullptr;
  // While it waits, users may be others.
  request.current_user = [this] { return current_user(); };
  json leased = module->lease(client_, request);
  // First of all: whatever fails from now on, the lease ends with the session.
  used_.insert(module);
  leases_[module->module().name] = {module, field_of<std::int64_t>(leased, "lease")};
  const std::string own_host = client_.own_host();
  for (json& rank : leased["ranks"]) {
    // A rank on this machine is where the client has found the front end.
    if (is_loopback(rank["host"])) rank["host"] = own_host;
  }
  if (mode == "relay") relay(leased);
  if (staging != nullptr) stage(leased, module, staging);
  return leased;
}

CallOrigin ClientSession::origin_of(const json& message) const {
  CallOrigin origin{field_of<std::string>(message, "module")};
  if (message.contains("routine")) origin.routine = field_of<std::string>(message, "routine");
  origin.user = user_->name;
  origin.client_host = client_.peer_host();
  origin.client = number_;
  if (message.contains("mode")) {
    origin.mode = field_of<std::string>(message, "mode");
    if (!mode_of(origin.mode)) {  // It would be written to logs.
      throw error("call", "there is no such mode of transfer",
                  "let server and client use versions of Tasuki that know each other");
    }
  }
  return origin;
}

void ClientSession::relay(json& leased) {
  forget_tickets();
  for (json& rank : leased["ranks"]) {
    const RankAddress address = rank_address_from(rank, client_.is_encrypted());
    add_passage(address.ticket, [address](Socket& client) { rpc::relay(client, address); });
    rank = {{"ticket", address.ticket}};
  }
}

void ClientSession::stage(json& leased, const RankGroup& module, Staging staging) {
  forget_tickets();
  std::vector<RankAddress> addresses;
  for (const json& rank : leased["ranks"])
    addresses.push_back(rank_address_from(rank, client_.is_encrypted()));
  const std::string ticket = make_secret();
  const auto lease = field_of<std::int64_t>(leased, "lease");
  const auto tell_seconds = [lease, &log = server_.log](std::int64_t call, FrontEndPart part) {
    log.set_front_end(lease, call, part);
  };
  const auto call_most_bytes = field_of<std::int64_t>(leased, "call_most_bytes");
  // Of one rank, as which the front end acts, the client knows no limit.
  leased.erase("call_most_bytes");
  const auto client_most = std::chrono::ceil<Socket::Seconds>(
      std::chrono::duration<double>(server_.modules.limits().client_most_s));
  const StagingTerms terms{server_.staging_room, [module, lease](bool has_begun) {
                             module->fail_slow_lease(lease, has_begun);
                           }};
  add_passage(ticket, [=](Socket& client) {
    RankLinks ranks(addresses);
    StagedCalls(client, ranks,
                {module->module(), staging, terms, call_most_bytes, client_most, tell_seconds})
        .serve();
  });
  leased["ranks"] = json::array({{{"ticket", ticket}}});
}

void ClientSession::add_passage(const std::string& ticket, Passages::Passage passage) {
  tickets_.push_back(ticket);
  server_.passages.add(ticket, std::move(passage));
}

void ClientSession::forget_tickets() {
  for (const std::string& one : tickets_) server_.passages.remove(one);
  tickets_.clear();
}

json ClientSession::settle(const json& message) {
  const auto last = leases_.extract(field_of<std::string>(message, "module"));
  if (!last) throw error("end a lease", "the client has none", "call again");
  const LeaseOutcome outcome = last.mapped().module->settle(last.mapped().number);
  json settled = {{"message", "settled"}, {"calls", outcome.last_call}};
  if (outcome.fault) {
    settled["operation"] = outcome.fault->operation;
    settled["happened"] = outcome.fault->happened;
    settled["remedy"] = outcome.fault->remedy;
    if (!outcome.fault->kind.empty()) settled["kind"] = outcome.fault->kind;
    if (!outcome.fault->spoils_ranks) settled["has_run"] = false;  // All ranks have refused it.
  }
  return settled;
}

}  // namespace tasuki::rpc
