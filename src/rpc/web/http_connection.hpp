// A connection on which a peer asks by HTTP/1.1.
//
// Used by the front end on the thread of the connection. A peer is not trusted: header and body
// have a most length, and a request a most time, however slowly its bytes come. Thread-safety: one
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "rpc/web/http_message.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What a peer may ask of a connection.
struct HttpLimits {
  std::size_t header_bytes = std::size_t{16} << 10;
  std::size_t body_bytes = std::size_t{64} << 10;
  std::chrono::seconds request_time{10};  ///< From its first byte to its last.
  std::chrono::seconds idle_time{60};     ///< Between requests.
};

class HttpConnection {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  /// Requires: the socket outlives it.
  explicit HttpConnection(Socket& socket, HttpLimits limits = {})
      : socket_(socket), limits_(limits) {}

  /// Answers requests until the peer ends the connection or does what is not allowed. Throws what
  /// `answer` throws, and tasuki::error if an answer cannot be sent.
  void serve(const Answer& answer);

 private:
  using Clock = std::chrono::steady_clock;

  /// Returns: nothing if there is no other request. Throws HttpRefusal.
  std::optional<HttpRequest> receive();
  /// Returns: whether more bytes have come in time.
  bool receive_more(Clock::time_point deadline);
  void send(const HttpResponse& response, bool has_body);
  /// Lets the peer read the answer: the system would drop it if bytes were left that nobody reads.
  void await_end();

  Socket& socket_;
  HttpLimits limits_;
  std::string received_ = {};  ///< And not parsed yet.
  bool is_kept_ = true;        ///< The peer wants to ask again.
};

}  // namespace tasuki::rpc
