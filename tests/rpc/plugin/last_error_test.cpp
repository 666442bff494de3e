#include "rpc/plugin/last_error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tasuki/error.hpp>
#include <thread>

#include "rpc/client/call_fault.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

template <class Fault>
void keep(const Fault& fault) {
  try {
    std::rethrow_exception(std::make_exception_ptr(fault));
  } catch (...) {
    keep_current_error();
  }
}

TEST(LastErrorTest, IsToldAsItIs) {
  const error fault("call m", "there is no memory", "buy some");
  keep(fault);
  EXPECT_EQ(json::parse(last_error().as_json), json({{"kind", "call"},
                                                     {"operation", "call m"},
                                                     {"happened", "there is no memory"},
                                                     {"remedy", "buy some"},
                                                     {"may_have_run", false}}));
  EXPECT_EQ(last_error().kind, "call");
  EXPECT_EQ(last_error().text, fault.what());
  EXPECT_FALSE(last_error().may_have_run);
}

TEST(LastErrorTest, OfACallItSaysWhetherThatMayHaveRun) {
  const NamedError cancelled(cancelled_kind, "call m", "it was cancelled", "call again");
  for (const bool may_have_run : {true, false}) {
    keep(CallFault(cancelled, may_have_run));
    EXPECT_EQ(last_error().may_have_run, may_have_run);
    EXPECT_EQ(json::parse(last_error().as_json).at("may_have_run"), may_have_run);
    EXPECT_EQ(last_error().kind, "cancelled");
  }
}

TEST(LastErrorTest, OtherExceptionsAreErrorsOfTheCall) {
  keep(std::runtime_error("a surprise"));
  EXPECT_EQ(last_error().kind, "call");
  EXPECT_EQ(json::parse(last_error().as_json).at("happened"), "a surprise");
}

// What a peer has said need not be UTF-8, but JSON is.
TEST(LastErrorTest, IsJsonWhateverItQuotes) {
  keep(error("call m", "the server says \xff\xfe", "ask it"));
  EXPECT_TRUE(json::accept(last_error().as_json));
}

TEST(LastErrorTest, EachThreadHasItsOwn) {
  keep(error("call m", "here", ""));
  std::thread([] {
    EXPECT_EQ(last_error().as_json, "");
    keep(error("call m", "there", ""));
  }).join();
  EXPECT_EQ(json::parse(last_error().as_json).at("happened"), "here");
}

}  // namespace
}  // namespace tasuki::rpc
