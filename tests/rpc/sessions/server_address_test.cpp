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
  for (const char* url : {"", "tasuki://", "http://host:1", "host:many", ":1", "host:99999"}) {
    EXPECT_THROW(server_address(url), error) << url;
  }
}

TEST(ServerAddressTest, TheSettingNamesTheUsualServer) {
  unsetenv("TASUKI_SERVER");
  try {
    usual_server_address();
    FAIL() << "found one";
  } catch (const error& fault) {
    EXPECT_NE(fault.remedy().find("TASUKI_SERVER=tasuki://HOST:PORT"), std::string::npos);
  }
  setenv("TASUKI_SERVER", "tasuki://host:1", 1);
  EXPECT_EQ(usual_server_address().port, 1);
  unsetenv("TASUKI_SERVER");
}

}  // namespace
}  // namespace tasuki::rpc
