#include "rpc/client/server_link.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/interrupt.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};
/// A front end answers at once; who does not is none.
constexpr Socket::Seconds greeting_timeout{5};
constexpr Socket::Seconds for_ever{0};

/// What `work` returns. Whatever it throws is thrown as ServerGone, unless the program has ended
/// the wait.
template <class Work>
auto or_gone(Work work) {
  try {
    return work();
  } catch (const Interrupted&) {
    throw;
  } catch (const error& fault) {
    throw ServerGone(fault);
  }
}

Socket connected_to(const Endpoint& server, const Credentials& credentials) {
  Socket made = Socket::connect(server, connect_timeout);
  if (server.is_encrypted) {
    made.encrypt(TlsContext::for_clients(credentials.ca_file), server.host, greeting_timeout);
  }
  return made;
}

}  // namespace

ServerLink::ServerLink(const Endpoint& server, const Credentials& credentials)
    : endpoint_(server),
      socket_(or_gone([&] { return connected_to(server, credentials); })),
      address_(or_gone([&] {
        return text_of({socket_.peer_host(), server.port});
      })) {
  socket_.set_timeout(greeting_timeout);
  or_gone([&] { greet(credentials); });
  socket_.set_timeout(for_ever);  // Calls take their time.
}

void ServerLink::greet(const Credentials& credentials) {
  json hello = {{"message", "hello"}, {"protocol", protocol_version}};
  if (!credentials.token.empty()) {
    if (!endpoint_.is_encrypted && !is_loopback(socket_.peer_host())) {
      throw NamedError(access_kind, "connect",
                       fmt::format("the token would travel to {} unencrypted", peer()),
                       "give tasukis:// in place of tasuki://");
    }
    hello["token"] = credentials.token;
    if (credentials.is_token_given) hello["is_token_given"] = true;
  }
  ask(hello);
}

json ServerLink::exchange(const json& message) {
  try {
    return or_gone([&] {
      send_frame(socket_, message);
      return receive_frame(socket_);
    });
  } catch (const error&) {
    shut_down();  // Else the answer would be taken for that to the next question.
    throw;
  }
}

json ServerLink::ask(const json& message) {
  json answer = exchange(message);
  if (answer.contains("happened")) throw_refusal(answer);
  return answer;
}

OfferedInterfaces ServerLink::ask_interfaces() {
  socket_.set_timeout(greeting_timeout);
  const json answer = ask({{"message", "interfaces"}});
  socket_.set_timeout(for_ever);
  return {field_of<std::vector<json>>(answer, "modules"),
          field_of<std::int64_t>(answer, "revision")};
}

}  // namespace tasuki::rpc
