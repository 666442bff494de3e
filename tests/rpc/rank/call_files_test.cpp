#include "rpc/rank/call_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

// The files of a call refer to their parameters.
const Parameter in_parameter = file_parameter("in", Mode::in);
const Parameter out_parameter = file_parameter("out", Mode::out);
const Parameter both_parameter = file_parameter("both", Mode::inout);

std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(CallFilesTest, FilesThatAreSentAreThereForTheRoutine) {
  CallFiles files;
  const std::string out = files.add(out_parameter);
  const std::string in = files.add(in_parameter);
  const std::string both = files.add(both_parameter);
  auto [near, far] = connected();
  far.send("12345678", 8);
  files.receive(near, {{"in", 5}, {"both", 3}});
  EXPECT_EQ(text_of(in), "12345");
  EXPECT_EQ(text_of(both), "678");
  EXPECT_EQ(text_of(out), "");
}

TEST(CallFilesTest, WhatTheRoutineHasWrittenGoesBack) {
  CallFiles files;
  const std::string in = files.add(in_parameter);
  const std::string out = files.add(out_parameter);
  const std::string both = files.add(both_parameter);
  std::ofstream(in) << "not sent";
  std::ofstream(out) << "abc";
  std::ofstream(both) << "de";
  const json sizes = files.result_sizes();
  EXPECT_EQ(sizes, json({{"out", 3}, {"both", 2}}));
  auto [near, far] = connected();
  files.send(near, sizes);
  near.shut_down();
  std::string received(5, ' ');
  far.receive(received.data(), received.size());
  EXPECT_EQ(received, "abcde");
  EXPECT_THROW(far.receive(received.data(), 1), error);
}

TEST(CallFilesTest, AFileWithoutItsSizeIsRefused) {
  CallFiles files;
  files.add(in_parameter);
  auto [near, far] = connected();
  for (const json& sizes : {json::object(), json({{"in", "long"}})}) {
    EXPECT_THROW(files.receive(near, sizes), error);
  }
}

}  // namespace
}  // namespace tasuki::rpc
