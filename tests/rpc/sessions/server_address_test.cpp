#include "rpc/sessions/server_address.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

TEST(ServerAddressTest, SchemeAndPortMayBeLeftOut) {
  for (const char* url : {"tasuki://host:7777", "tasuki://host", "tasuki://host/", "host:7777"}) {
    const Endpoint found = server_address(url);
    EXPECT_EQ(found.host, "host") << url;
    EXPECT_EQ(found.port, 7777) << url;
  }
  EXPECT_EQ(server_address("tasuki://[::1]:80").host, "::1");
}

TEST(ServerAddressTest, WhatIsNoAddressIsRefused) {
  for (const char* url :
       {"", "tasuki://", "http://host:1", "host:many", ":1", "[]", "[]:1", "host:99999"}) {
    EXPECT_THROW(server_address(url), error) << url;
  }
}

TEST(ServerAddressTest, CommasAreBetweenSeveralServers) {
  const auto found = server_addresses("tasuki://a:1,tasukis://b, [::1]:2");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(url_of(found[0]), "tasuki://a:1");
  EXPECT_EQ(url_of(found[1]), "tasukis://b:7777");
  EXPECT_EQ(url_of(found[2]), "tasuki://[::1]:2");
  EXPECT_EQ(server_addresses("a:1").size(), 1U);
  for (const char* urls : {"", ",", "a:1,", "a:1,,b:1", ",a:1", "a:1, "}) {
    EXPECT_THROW(server_addresses(urls), error) << urls;
  }
}

TEST(ServerAddressTest, TheSettingNamesTheUsualServers) {
  unsetenv("TASUKI_SERVER");
  try {
    usual_servers();
    FAIL() << "found one";
  } catch (const error& fault) {
    EXPECT_NE(fault.remedy().find("TASUKI_SERVER=tasuki://HOST:PORT"), std::string::npos);
  }
  setenv("TASUKI_SERVER", "tasuki://host:1,other", 1);
  EXPECT_EQ(usual_servers(), "tasuki://host:1,other");
  unsetenv("TASUKI_SERVER");
}

}  // namespace
}  // namespace tasuki::rpc
