#include "rpc/web/http_connection.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <exception>
#include <sstream>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

namespace http = boost::beast::http;

using Parser = http::request_parser<http::string_body>;
using Failure = boost::beast::error_code;

constexpr unsigned http_1_1 = 11;
constexpr std::size_t read_bytes = 4096;
constexpr std::chrono::seconds end_time{2};

/// A request that is not served; the connection ends.
class HttpRefusal : public std::exception {
 public:
  HttpRefusal(unsigned status, const char* text) noexcept : status_(status), text_(text) {}

  unsigned status() const noexcept { return status_; }
  const char* what() const noexcept override { return text_; }

 private:
  unsigned status_;
  const char* text_;
};

HttpRefusal refusal_of(const Failure& failure) {
  if (failure == http::error::header_limit) return {431, "the header is too long"};
  if (failure == http::error::body_limit) return {413, "the body is too long"};
  if (failure == http::error::bad_version) return {505, "use HTTP/1.1"};
  return {400, "this is no request by HTTP/1.1"};
}

HttpRequest request_of(http::request<http::string_body>&& parsed) {
  HttpRequest request;
  request.method = std::string(parsed.method_string());
  const std::string target(parsed.target());
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  if (mark < target.size()) request.parameters = form_fields(target.substr(mark + 1));
  for (const auto& field : parsed) {
    std::string name(field.name_string());
    for (char& letter : name) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    std::string& value = request.headers[name];
    if (!value.empty()) value += ", ";  // As RFC 9110 joins fields of one name.
    value += std::string(field.value());
  }
  request.body = std::move(parsed.body());
  return request;
}

}  // namespace

void HttpConnection::serve(const Answer& answer) {
  while (is_kept_) {
    try {
      const std::optional<HttpRequest> request = receive();
      if (!request) return;
      const HttpResponse response = answer(*request);
      if (response.is_last) is_kept_ = false;
      send(response, request->method != "HEAD");
    } catch (const HttpRefusal& refusal) {
      is_kept_ = false;
      send(refuse_request(refusal.status(), refusal.what()), true);
      await_end();
    }
  }
}

void HttpConnection::await_end() {
  shutdown(socket_.descriptor(), SHUT_WR);
  const Clock::time_point deadline = Clock::now() + end_time;
  do {
    received_.clear();
  } while (receive_more(deadline));
}

std::optional<HttpRequest> HttpConnection::receive() {
  if (received_.empty() && !receive_more(Clock::now() + limits_.idle_time)) return {};
  const Clock::time_point deadline = Clock::now() + limits_.request_time;
  Parser parser;
  parser.eager(true);
  parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  parser.body_limit(limits_.body_bytes);
  while (!parser.is_done()) {
    Failure failure;
    const std::size_t used = parser.put(boost::asio::buffer(received_), failure);
    received_.erase(0, used);
    if (parser.is_done()) break;
    if (failure && failure != http::error::need_more) throw refusal_of(failure);
    if (used > 0 && !received_.empty()) continue;
    if (receive_more(deadline)) continue;
    if (Clock::now() < deadline) return {};
    throw HttpRefusal(408, "the request takes too long");
  }
  is_kept_ = parser.keep_alive();
  return request_of(parser.release());
}

bool HttpConnection::receive_more(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<Socket::Seconds>(deadline - Clock::now());
  if (left.count() <= 0) return false;
  std::array<std::byte, read_bytes> buffer{};
  try {
    socket_.set_timeout(left);
    const std::size_t bytes = socket_.receive_some(buffer);
    received_.append(reinterpret_cast<const char*>(buffer.data()), bytes);
    return true;
  } catch (const error&) {
    return false;  // The peer is silent, or has gone.
  }
}

void HttpConnection::send(const HttpResponse& response, bool has_body) {
  http::response<http::string_body> message(static_cast<http::status>(response.status), http_1_1);
  message.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  message.keep_alive(is_kept_);
  message.content_length(response.body.size());
  if (has_body) message.body() = response.body;
  std::ostringstream text;
  text << message;
  const std::string bytes = std::move(text).str();
  socket_.set_send_timeout(limits_.request_time);
  socket_.send(bytes.data(), bytes.size());
}

}  // namespace tasuki::rpc
