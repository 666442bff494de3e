#include "rpc/client/serve_callback.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"
#include "rpc/links/callback_fault.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const Integers one = {{"n", 1}};
const json callback = {{"message", "callback"}, {"name", "g"}, {"bytes", 8}};

std::optional<std::string> write_y(void* const* arguments) {
  auto* const y = static_cast<std::int8_t*>(arguments[1]);
  y[0] = static_cast<std::int8_t>(*static_cast<double*>(arguments[0]));
  return {};
}

std::string missing(const Routine& routine, const ClientFunctions& functions) {
  try {
    check_functions(routine, functions);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(ServeCallbackTest, EachCallbackNeedsAFunctionAndEachFunctionACallback) {
  const Routine routine = routine_with_callback();
  EXPECT_EQ(missing(routine, {{"g", write_y}}), "");
  EXPECT_EQ(missing(routine, {}), "the function for g is missing");
  EXPECT_EQ(missing(routine, {{"g", nullptr}}), "the function for g is missing");
  EXPECT_EQ(missing(routine, {{"g", write_y}, {"h", write_y}}),
            "2 functions are given, but it has 1 callbacks");
}

TEST(ServeCallbackTest, ARoutineWithoutCallbacksNeedsNoService) {
  EXPECT_FALSE(serve_callback_of(Routine{"f"}, one, WireFormat::native, {}));
}

TEST(ServeCallbackTest, TheFunctionGetsArraysAndItsResultsGoToTheRank) {
  const Routine routine = routine_with_callback();
  const ClientFunctions functions = {{"g", write_y}};
  auto [near, far] = connected();
  const double x = 42;
  far.send(&x, sizeof x);
  serve_callback_of(routine, one, WireFormat::native, functions)(callback, near);
  EXPECT_EQ(receive_frame(far), json({{"message", "returned"}, {"bytes", 2}}));
  std::array<std::int8_t, 2> y = {-1, -1};
  far.receive(y.data(), y.size());
  EXPECT_EQ(y, (std::array<std::int8_t, 2>{42, 0}));
}

TEST(ServeCallbackTest, AFunctionThatFailsSaysWhyAndTheRankGetsNothing) {
  const Routine routine = routine_with_callback();
  const ClientFunctions functions = {
      {"g", [](void* const*) { return std::optional<std::string>("x is negative"); }}};
  auto [near, far] = connected();
  const double x = 0;
  far.send(&x, sizeof x);
  try {
    serve_callback_of(routine, one, WireFormat::native, functions)(callback, near);
    FAIL() << "it was served";
  } catch (const CallbackFault& fault) {
    EXPECT_EQ(fault.happened(), "callback g: x is negative");
  }
  near.shut_down();
  std::byte sent{};
  EXPECT_THROW(far.receive(&sent, 1), error);
}

TEST(ServeCallbackTest, ACallbackThatTheInterfaceDoesNotHaveIsAFault) {
  const Routine routine = routine_with_callback();
  const ClientFunctions functions = {{"g", write_y}};
  auto [near, far] = connected();
  const auto serve = serve_callback_of(routine, one, WireFormat::native, functions);
  EXPECT_THROW(serve({{"message", "callback"}, {"name", "h"}}, near), CallbackFault);
  EXPECT_THROW(serve({{"message", "callback"}, {"name", 7}}, near), error);
}

}  // namespace
}  // namespace tasuki::rpc
