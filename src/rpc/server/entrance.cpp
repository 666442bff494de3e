#include "rpc/server/entrance.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Nobody tries many tokens.
constexpr std::chrono::milliseconds wrong_token_delay{500};

constexpr const char* token_remedy =
    "ask the server's operator for a token, and set TASUKI_TOKEN or TASUKI_TOKEN_FILE, or give it "
    "to connect or --token-file";

/// Frames begin with a zero, as their length is in four bytes and less than 2^24 (frame.hpp).
bool begins_http(std::byte first) { return std::isalpha(std::to_integer<int>(first)) != 0; }

constexpr std::byte first_byte_of_tls{0x16};

/// Returns: the first byte to come, which is left to who reads first; that of TLS if none does, who
/// then finds out.
std::byte peek(const Socket& connection) {
  std::byte first = first_byte_of_tls;
  recv(connection.descriptor(), &first, 1, MSG_PEEK);
  return first;
}

void check_version(const json& hello) {
  if (!hello.contains("message") || field_of<std::string>(hello, "message") != "hello" ||
      field_of<int>(hello, "protocol") != protocol_version) {
    throw error("connect",
                fmt::format("the server speaks version {} of the protocol", protocol_version),
                "let server and client use versions of Tasuki that know each other");
  }
}

}  // namespace

Visitor Entrance::admit(const std::shared_ptr<Socket>& connection) {
  const Strangers::Stay stay(strangers_, connection);
  if (tls_) {
    const std::byte first = peek(*connection);
    if (begins_http(first)) return Browser{.must_encrypt = true};
    if (first != first_byte_of_tls) refuse_plain(*connection);
    connection->accept_encryption(*tls_, patience);
  }
  if (begins_http(connection->first_byte())) return Browser{};
  json message = receive_frame(*connection, first_frame_most_bytes);
  try {
    if (message.contains("ticket")) return message;
    if (field_or<std::string>(message, "message", "") == "join") return message;
    check_version(message);
    return greet(*connection, message);
  } catch (const error& fault) {
    send_frame(*connection, refusal_of(fault));
    throw;
  }
}

void Entrance::refuse_plain(Socket& client) {
  receive_frame(client, first_frame_most_bytes);
  try {
    throw error("connect", "the server speaks TLS alone", "give tasukis:// in place of tasuki://");
  } catch (const error& fault) {
    send_frame(client, refusal_of(fault));
    throw;
  }
}

Guest Entrance::greet(Socket& client, const json& hello) {
  const auto token =
      hello.contains("token") ? field_of<std::string>(hello, "token") : std::string();
  if (!users_.need_token() && field_or(hello, "is_token_given", false)) {
    throw NamedError(access_kind, "connect", "the server asks for no token, and one was given",
                     "leave out token, token_file or --token-file, or name the server that it is "
                     "for");
  }
  std::shared_ptr<const User> user = users_.find(token);
  if (!user) {
    std::this_thread::sleep_for(wrong_token_delay);
    throw NamedError(access_kind, "connect",
                     token.empty() ? "the server asks for a token, and none was given"
                                   : "the server does not know the token",
                     token_remedy);
  }
  Guest guest{user, connections_.enter(*user)};
  json greeting = {{"message", "hello"}, {"protocol", protocol_version}};
  if (hello.contains("sign_s")) {
    guest.sign_s = field_of<double>(hello, "sign_s");
    greeting["sign_s"] = *guest.sign_s;
  }
  send_frame(client, greeting);
  return guest;
}

}  // namespace tasuki::rpc
