#include "rpc/server/routine_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/server/secret.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// How often a wait asks whether the client or the program has gone, of which nobody tells it.
constexpr std::chrono::milliseconds check_interval{50};
constexpr const char* printed_remedy = "read what the server has printed";

}  // namespace

RoutineProcesses::RoutineProcesses(Module module, RoutineProgram program)
    : module_(std::move(module)),
      program_(std::move(program)),
      members_(static_cast<std::size_t>(program_.ranks)) {}

void RoutineProcesses::start() {
  processes_.start(program_.command, {"TASUKI_SERVER=" + text_of(program_.front_end),
                                      "TASUKI_SERVER_KEY=" + program_.key});
}

/// Nobody knows what the processes are doing.
void RoutineProcesses::restart() {
  for (Member& member : members_) {
    if (member.connection) member.connection->shut_down();
    member = {};
  }
  processes_.end();
  start();
  has_failed_ = false;
}

void RoutineProcesses::serve(const std::shared_ptr<Socket>& connection, const json& join) {
  const auto rank = field_of<int>(join, "rank");
  if (field_of<int>(join, "ranks") != ranks() || rank < 0 || rank >= ranks()) {
    throw error("join a server", fmt::format("module {} has {} ranks", module_.name, ranks()),
                "start as many processes as the server was told");
  }
  send_frame(*connection, {{"message", "joined"}, {"interface", module_.json}});
  Lock lock(mutex_);
  Member& member = members_[static_cast<std::size_t>(rank)];
  member = {connection, field_of<std::uint16_t>(join, "port")};
  changed_.notify_all();
  try {
    while (true) {
      lock.unlock();
      json done = receive_frame(*connection);
      lock.lock();
      if (field_of<std::int64_t>(done, "call") == call_) member.done = std::move(done);
      changed_.notify_all();
    }
  } catch (const error&) {
    if (!lock.owns_lock()) lock.lock();
    if (member.connection == connection) {
      member.connection = nullptr;
      has_failed_ = true;
      changed_.notify_all();
    }
  }
}

template <class Predicate>
void RoutineProcesses::wait(Lock& lock, Socket& client, Predicate is_true) {
  while (!is_true()) {
    if (client.has_ended()) throw error("call", "the client has gone", "call again");
    changed_.wait_for(lock, check_interval);
  }
}

void RoutineProcesses::lease(Lock& lock, Socket& client) {
  wait(lock, client, [&] { return !is_leased_; });
  if (has_failed_ || processes_.has_ended()) restart();
  is_leased_ = true;
  for (Member& member : members_) member.done.reset();
}

json RoutineProcesses::call(Socket& client, std::int64_t number, const json& message) {
  Lock lock(mutex_);
  lease(lock, client);
  try {
    call_ = number;
    send_call(lock, client, message);
    json reports = await_reports(lock, client);
    call_ = 0;
    is_leased_ = false;
    changed_.notify_all();
    return reports;
  } catch (...) {
    call_ = 0;
    has_failed_ = true;
    try {
      restart();
    } catch (const error& fault) {
      base::report(fault.what());  // The next call tries again and tells its client.
    }
    is_leased_ = false;
    changed_.notify_all();
    throw;
  }
}

void RoutineProcesses::send_call(Lock& lock, Socket& client, const json& message) {
  const auto has_joined = [](const Member& one) { return one.connection != nullptr; };
  wait(lock, client, [&] {
    return has_failed_ || processes_.has_ended() || std::ranges::all_of(members_, has_joined);
  });
  if (!std::ranges::all_of(members_, has_joined)) {
    throw error(fmt::format("start module {}", module_.name),
                "its program has ended before all its ranks have joined", printed_remedy);
  }
  json placed = {{"message", "placed"}, {"call", call_}, {"ranks", json::array()}};
  for (const Member& member : members_) {
    const std::string ticket = make_secret();
    placed["ranks"].push_back(
        {{"host", member.connection->peer_host()}, {"port", member.port}, {"ticket", ticket}});
    send_frame(*member.connection, {{"message", "run"},
                                    {"call", call_},
                                    {"ticket", ticket},
                                    {"routine", message.at("routine")},
                                    {"scalars", message.at("scalars")}});
  }
  send_frame(client, placed);
}

json RoutineProcesses::await_reports(Lock& lock, Socket& client) {
  const auto has_failed = [](const Member& one) {
    return one.done && one.done->contains("happened");
  };
  const auto is_done = [](const Member& one) { return one.done.has_value(); };
  wait(lock, client, [&] {
    return has_failed_ || std::ranges::any_of(members_, has_failed) ||
           std::ranges::all_of(members_, is_done);
  });
  json reports = json::array();
  for (std::size_t rank = 0; rank < members_.size(); ++rank) check(rank);
  for (const Member& member : members_) {
    reports.push_back({{"seconds", field_of<json>(*member.done, "seconds")}});
  }
  return reports;
}

void RoutineProcesses::check(std::size_t rank) const {
  const Member& member = members_[rank];
  const std::string operation = fmt::format("call {} on rank {}", module_.name, rank);
  if (member.done && member.done->contains("happened")) {
    throw error(operation, field_of<std::string>(*member.done, "happened"),
                field_of<std::string>(*member.done, "remedy"));
  }
  if (!member.connection) {
    throw error(operation, "the process has ended during the call", printed_remedy);
  }
}

}  // namespace tasuki::rpc
