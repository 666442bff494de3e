#include "rpc/web/plain_refusal.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

HttpResponse answer_to(const std::string& method, const std::string& path,
                       const std::string& host = "localhost:7777") {
  HttpRequest request;
  request.method = method;
  request.path = path;
  request.headers = {{"host", host}};
  return refuse_plain(request, "127.0.0.1");
}

TEST(PlainRefusalTest, WhoOpensThePageIsSentToTheEncryptedOne) {
  const HttpResponse answer = answer_to("GET", "/");
  EXPECT_EQ(answer.status, 307U);
  ASSERT_FALSE(answer.headers.empty());
  EXPECT_EQ(answer.headers.front(),
            (std::pair<std::string, std::string>("Location", "https://localhost:7777/")));
  EXPECT_TRUE(answer.is_last);
}

TEST(PlainRefusalTest, ScriptsAreToldTheAddress) {
  for (const HttpResponse& answer :
       {answer_to("GET", "/api/status"), answer_to("POST", "/login"), answer_to("POST", "/")}) {
    EXPECT_EQ(answer.status, 400U);
    EXPECT_EQ(answer.body, "This server speaks TLS alone; ask https://localhost:7777/\n");
    EXPECT_TRUE(answer.headers.empty());
    EXPECT_TRUE(answer.is_last);
  }
}

TEST(PlainRefusalTest, NobodyIsSentToAnotherHost) {
  EXPECT_EQ(answer_to("GET", "/", "evil.example").status, 421U);
  EXPECT_EQ(answer_to("GET", "/", "a/b").status, 400U);
}

}  // namespace
}  // namespace tasuki::rpc
