#include "rpc/web/http_connection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <tasuki/error.hpp>
#include <thread>

#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// Serves what `client` sends; answers tell what was asked. Returns: all answers.
std::string exchange(const std::string& sent, HttpLimits limits = {}, bool ends = true) {
  auto [client, server] = connected();
  client.send(sent.data(), sent.size());  // The connection holds it, and its time has not begun.
  if (ends) shutdown(client.descriptor(), SHUT_WR);
  std::thread serving([&server = server, limits] {
    HttpConnection(server, limits).serve([](const HttpRequest& request) {
      HttpResponse response;
      response.body =
          request.method + " " + request.path + " " + request.header("x") + request.body;
      response.is_last = request.path == "/last";
      return response;
    });
    server.shut_down();
  });
  std::string answers;
  std::array<char, 1000> buffer{};
  try {
    while (true) {
      const std::size_t bytes = client.receive_some(std::as_writable_bytes(std::span(buffer)));
      answers.append(buffer.data(), bytes);
    }
  } catch (const error& fault) {  // All answers have come.
    EXPECT_EQ(fault.operation(), "receive");
  }
  serving.join();
  return answers;
}

TEST(HttpConnectionTest, AnswersOneRequestAfterAnother) {
  const std::string answers = exchange(
      "GET /a?b=1 HTTP/1.1\r\nHost: h\r\nX: 1\r\nx: 2\r\n\r\n"
      "POST /c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz");
  EXPECT_NE(answers.find("GET /a 1, 2"), std::string::npos) << answers;
  EXPECT_NE(answers.find("POST /c xyz"), std::string::npos) << answers;
  EXPECT_TRUE(answers.starts_with("HTTP/1.1 200 OK\r\n")) << answers;
}

TEST(HttpConnectionTest, BodiesMayComeInChunks) {
  const std::string answer = exchange(
      "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n1\r\nz\r\n0\r\n\r\n");
  EXPECT_NE(answer.find("POST /c xyz"), std::string::npos) << answer;
}

TEST(HttpConnectionTest, HeadHasTheLengthAndNoBody) {
  const std::string answer = exchange("HEAD /abc HTTP/1.1\r\n\r\n");
  EXPECT_NE(answer.find("Content-Length: 10\r\n"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST(HttpConnectionTest, TheConnectionEndsWhenOneSideWantsIt) {
  const std::string more = "GET /more HTTP/1.1\r\n\r\n";
  for (const char* last :
       {"GET /last HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET /a HTTP/1.0\r\n\r\n"}) {
    const std::string answers = exchange(last + more);
    EXPECT_NE(answers.find("GET /"), std::string::npos) << answers;
    EXPECT_EQ(answers.find("GET /more"), std::string::npos) << answers;
  }
}

TEST(HttpConnectionTest, RefusesWhatIsNoRequest) {
  for (const char* wrong :
       {"nonsense\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"}) {
    EXPECT_TRUE(exchange(wrong).starts_with("HTTP/1.1 400 ")) << wrong;
  }
}

TEST(HttpConnectionTest, RefusesWhatIsTooLong) {
  const std::string name(20000, 'a');
  EXPECT_TRUE(exchange("GET /" + name + " HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(exchange("GET / HTTP/1.1\r\nX: " + name + "\r\n\r\n").starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(
      exchange("POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n").starts_with("HTTP/1.1 413 "));
}

TEST(HttpConnectionTest, RefusesWhatTakesTooLong) {
  const HttpLimits short_limits{.request_time = std::chrono::seconds(1)};
  EXPECT_TRUE(exchange("GET / HT", short_limits, false).starts_with("HTTP/1.1 408 "));
}

TEST(HttpConnectionTest, EndsAConnectionThatIsNotUsed) {
  const HttpLimits short_limits{.idle_time = std::chrono::seconds(1)};
  EXPECT_EQ(exchange("", short_limits, false), "");
  EXPECT_TRUE(exchange("GET /a HTTP/1.1\r\n\r\n", short_limits, false).ends_with("GET /a "));
}

TEST(HttpConnectionTest, APeerThatGoesEndsIt) { EXPECT_EQ(exchange("GET / HT"), ""); }

}  // namespace
}  // namespace tasuki::rpc
