#include "rpc/server/kept_table.hpp"

#include <algorithm>
#include <utility>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;
using Guard = std::lock_guard<std::mutex>;

void KeptTable::take(const std::string& program, const CallOrigin& origin, const json& message,
                     Clock::time_point now) {
  const Guard guard(mutex_);
  auto& kept = kept_[program];
  // A call may name what another user has left, and then it does nothing to it.
  const auto find = [&](const std::string& name) {
    const auto found = kept.find(name);
    return found != kept.end() && found->second.origin.user == origin.user ? found : kept.end();
  };
  auto& reserved = reserved_[program];
  // What was freed and has a new one of its name was freed before that.
  if (message.contains("freed")) {
    for (const auto& name : field_of<std::vector<std::string>>(message, "freed")) {
      const auto found = find(name);
      if (found != kept.end()) kept.erase(found);
      const auto about = reserved.find(name);
      if (about != reserved.end() && about->second.user == origin.user) reserved.erase(about);
    }
  }
  for (const json& one : message.value("kept", json::array())) {
    kept[field_of<std::string>(one, "name")] = {origin,
                                                field_of<bool>(one, "is_object"),
                                                field_of<std::int64_t>(one, "bytes"),
                                                field_of<json::object_t>(one, "about"),
                                                false,
                                                now,
                                                now};
    reserved.erase(one["name"]);
  }
  if (message.contains("used")) {
    for (const auto& name : field_of<std::vector<std::string>>(message, "used")) {
      const auto found = find(name);
      if (found != kept.end()) found->second.last_use = now;
    }
  }
}

void KeptTable::forget_client(const std::string& program, std::int64_t client) {
  const Guard guard(mutex_);
  const auto found = kept_.find(program);
  if (found == kept_.end()) return;  // The program has ended before the client went.
  std::erase_if(found->second, [&](const auto& one) { return one.second.origin.client == client; });
}

void KeptTable::forget_program(const std::string& program) {
  const Guard guard(mutex_);
  kept_.erase(program);
  reserved_.erase(program);
}

bool KeptTable::has_expired(const std::string& program, Seconds most, Clock::time_point now) const {
  const Guard guard(mutex_);
  const auto found = kept_.find(program);
  return found != kept_.end() && std::ranges::any_of(found->second, [&](const auto& one) {
           return now - one.second.last_use > most;
         });
}

std::vector<std::string> KeptTable::take_expired(const std::string& program, Seconds most,
                                                 Clock::time_point now) {
  const Guard guard(mutex_);
  std::vector<std::string> names;
  std::erase_if(kept_[program], [&](const auto& one) {
    const bool has_expired = now - one.second.last_use > most;
    if (has_expired) names.push_back(one.first);
    return has_expired;
  });
  return names;
}

KeptRoom KeptTable::reserve(const std::string& program, const CallOrigin& origin,
                            const std::string& name, std::int64_t bytes, std::int64_t most_bytes) {
  const Guard guard(mutex_);
  const std::int64_t used_bytes = count_bytes(origin.user);
  if (bytes > most_bytes - used_bytes) return {false, used_bytes};
  reserved_[program][name] = {origin.user, bytes};
  return {true, used_bytes};
}

std::int64_t KeptTable::bytes_of(const std::string& user) const {
  const Guard guard(mutex_);
  return count_bytes(user);
}

std::int64_t KeptTable::count_bytes(const std::string& user) const {
  std::int64_t bytes = 0;
  for (const auto& [program, reserved] : reserved_) {
    for (const auto& [name, one] : reserved) {
      if (one.user == user) bytes += one.bytes;
    }
  }
  for (const auto& [program, kept] : kept_) {
    for (const auto& [name, one] : kept) {
      if (one.origin.user == user) bytes += one.bytes;
    }
  }
  return bytes;
}

json KeptTable::list(const std::string& user, std::optional<double> most_s,
                     Clock::time_point now) const {
  const Guard guard(mutex_);
  std::vector<std::pair<Clock::time_point, json>> rows;
  for (const auto& [program, kept] : kept_) {
    for (const auto& [name, one] : kept) {
      if (one.origin.user == user) rows.emplace_back(one.begin, to_json(name, one, most_s, now));
    }
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  json described = json::array();
  for (auto& [begin, row] : rows) described.push_back(std::move(row));
  return described;
}

json KeptTable::to_json(const std::string& name, const Kept& kept, std::optional<double> most_s,
                        Clock::time_point now) {
  const CallOrigin& origin = kept.origin;
  const double unused_s = Seconds(now - kept.last_use).count();
  json left_s;  // Null, if there is no limit.
  if (most_s) left_s = std::max(0.0, *most_s - unused_s);
  json row = kept.about;
  row.update({{"module", origin.module},
              {"name", name},
              {"kind", kept.is_object ? "object" : "array"},
              {"bytes", kept.bytes},
              {"user", origin.user},
              {"client", {{"host", origin.client_host}, {"number", origin.client}}},
              {"seconds",
               {{"age", Seconds(now - kept.begin).count()},
                {"unused", unused_s},
                {"left", std::move(left_s)}}},
              {"is_being_freed", kept.is_unwanted}});
  return row;
}

std::optional<KeptTable::Unwanted> KeptTable::give_up(const std::string& user,
                                                      const std::string& name) {
  const Guard guard(mutex_);
  for (auto& [program, kept] : kept_) {
    const auto found = kept.find(name);
    if (found == kept.end() || found->second.origin.user != user) continue;
    return Unwanted{program, found->second.origin.module,
                    std::exchange(found->second.is_unwanted, true)};
  }
  return {};
}

bool KeptTable::remove(const std::string& program, const std::string& name) {
  const Guard guard(mutex_);
  const auto found = kept_.find(program);
  return found != kept_.end() && found->second.erase(name) > 0;
}

}  // namespace tasuki::rpc
