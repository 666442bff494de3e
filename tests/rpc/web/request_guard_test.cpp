#include "rpc/web/request_guard.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

unsigned status_of(const std::string& method, const std::map<std::string, std::string>& headers,
                   const std::string& own_host = "127.0.0.1", bool is_encrypted = false) {
  HttpRequest request;
  request.method = method;
  request.headers = headers;
  const auto refusal = guard_request(request, {own_host, is_encrypted});
  return refusal ? refusal->status : 200;
}

TEST(RequestGuardTest, HostsOfAuthorities) {
  EXPECT_EQ(host_of_authority("localhost:7777"), "localhost");
  EXPECT_EQ(host_of_authority("LocalHost"), "localhost");
  EXPECT_EQ(host_of_authority("[::1]:80"), "::1");
  EXPECT_EQ(host_of_authority("[::1]"), "::1");
  for (const char* wrong :
       {"", ":80", "a b", "a:b", "a/b:1", "[::1", "[::1]x", "[]", "[a\"]:1", "\"<b>", "a@b"}) {
    EXPECT_EQ(host_of_authority(wrong), std::nullopt) << wrong;
  }
}

TEST(RequestGuardTest, AForeignNameOfALoopbackAddressIsRefused) {
  EXPECT_EQ(status_of("GET", {{"host", "localhost:7777"}}), 200);
  EXPECT_EQ(status_of("GET", {{"host", "127.0.0.1:7777"}}), 200);
  EXPECT_EQ(status_of("GET", {{"host", "[::1]:7777"}}, "::1"), 200);
  EXPECT_EQ(status_of("GET", {{"host", "evil.example:7777"}}), 421);
  EXPECT_EQ(status_of("GET", {{"host", "localhost.evil.example"}}), 421);
  EXPECT_EQ(status_of("GET", {{"host", "127.evil.example:7777"}}), 421);
  EXPECT_EQ(status_of("GET", {{"host", "127.0.0.1.evil.example"}}), 421);
  EXPECT_EQ(status_of("GET", {{"host", "evil.example"}}, "::1"), 421);
  EXPECT_EQ(status_of("GET", {{"host", "cluster.example"}}, "192.0.2.1"), 200);
  EXPECT_EQ(status_of("GET", {}), 400);
}

TEST(RequestGuardTest, OnlyTheServersOwnPageChangesSomething) {
  const std::string host = "localhost:7777";
  EXPECT_EQ(status_of("POST", {{"host", host}}), 200);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"origin", "http://localhost:7777"}}), 200);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"origin", "http://localhost:8888"}}), 403);
  EXPECT_EQ(status_of("DELETE", {{"host", host}, {"origin", "https://evil.example"}}), 403);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"origin", "null"}}), 403);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"sec-fetch-site", "same-origin"}}), 200);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"sec-fetch-site", "same-site"}}), 403);
  EXPECT_EQ(status_of("POST", {{"host", host}, {"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(status_of("GET", {{"host", host}, {"sec-fetch-site", "cross-site"}}), 200);
}

TEST(RequestGuardTest, APageThatCameUnencryptedIsNotTheServers) {
  const auto status = [](const std::string& origin) {
    return status_of("DELETE", {{"host", "localhost:7777"}, {"origin", origin}}, "127.0.0.1", true);
  };
  EXPECT_EQ(status("https://localhost:7777"), 200);
  EXPECT_EQ(status("http://localhost:7777"), 403);
  EXPECT_EQ(status("https://localhost"), 403);
}

}  // namespace
}  // namespace tasuki::rpc
