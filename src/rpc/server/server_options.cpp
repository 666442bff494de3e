#include "rpc/server/server_options.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::optional<double> seconds_in(const json& options, const char* name) {
  const json& value = options.at(name);
  if (value.is_null()) return {};
  return value.get<double>();
}

}  // namespace

ServerOptions server_options_from(const json& options) {
  ServerOptions made{options.at("log_file")};
  made.tls_certificate_file = options.at("tls_certificate_file");
  made.tls_key_file = options.at("tls_key_file");
  made.limits.queue_most = options.at("queue_most");
  made.limits.call_most_s = seconds_in(options, "call_most_s");
  made.limits.client_most_s = options.at("client_most_s");
  made.limits.rank_most_s = options.at("rank_most_s");
  const json& call_most_bytes = options.at("call_most_bytes");
  if (!call_most_bytes.is_null()) made.limits.call_most_bytes = call_most_bytes;
  made.limits.idle_most_s = seconds_in(options, "idle_most_s");
  made.limits.keep_most_s = seconds_in(options, "keep_most_s");
  const json& connections_most = options.at("connections_most");
  if (!connections_most.is_null()) made.connections_most = connections_most;
  made.browsers_most = options.at("browsers_most");
  const json& staged_most_bytes = options.at("staged_most_bytes");
  if (!staged_most_bytes.is_null()) made.staged_most_bytes = staged_most_bytes;
  made.pools_count = options.at("pools_count");
  made.drain_most_s = seconds_in(options, "drain_most_s");
  for (const json& one : options.at("users")) made.users.push_back(user_from_json(one));
  return made;
}

}  // namespace tasuki::rpc
