#include "predict/trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace tasuki::apps {
namespace {

const std::string header =
    R"({"format": "tasuki message trace", "version": 1, "program": "./ring", "ranks": 2})"
    "\n";
const std::string line =
    R"({"rank": 1, "communicator": 3, "source": 0, "tag": 5, "bytes": 800, "posted_source": null,)"
    R"( "posted_tag": 5, "posted_bytes": 1024, "posted_ns": 1000, "arrival_ns": 1900,)"
    R"( "was_there": true, "in_collective": true})"
    "\n";

/// The line with another value of one field, "" if the field is to be left out.
std::string line_with(const std::string& field, const std::string& value) {
  const std::size_t begin = line.find(fmt::format("\"{}\"", field));
  const std::size_t end = line.find_first_of(",}", begin);
  const std::string replacement = value.empty() ? "" : fmt::format("\"{}\": {}", field, value);
  const std::size_t begin_left = value.empty() ? begin - 2 : begin;  // With its comma.
  return fmt::format("{}{}{}", line.substr(0, begin_left), replacement, line.substr(end));
}

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::remove(path_.c_str()); }

  Trace read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return read_trace(path_);
  }

  /// What is said of the text: "PLACE: HAPPENED", without the path.
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const error& failure) {
      EXPECT_FALSE(failure.remedy().empty());
      const std::string said = fmt::format("{}: {}", failure.operation(), failure.happened());
      const std::size_t begin = said.find(path_);
      return fmt::format("{}FILE{}", said.substr(0, begin), said.substr(begin + path_.size()));
    }
    return "";
  }

  const std::string path_ = testing::TempDir() + "trace_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".jsonl";
};

TEST_F(TraceFile, IsRead) {
  const Trace trace = read(header + line);
  EXPECT_EQ(trace.program, "./ring");
  ASSERT_EQ(trace.ranks.size(), 2);
  EXPECT_TRUE(trace.ranks[0].empty());
  ASSERT_EQ(trace.ranks[1].size(), 1);
  const TracedMessage& one = trace.ranks[1][0];
  const predict::Message expected{.source = 0,
                                  .tag = 5,
                                  .communicator = 3,
                                  .kind = predict::kind_in_collective,
                                  .message_bytes = 800};
  EXPECT_EQ(one.arrival.message, expected);
  const predict::Receive& receive = one.arrival.receive;
  EXPECT_EQ(receive.given, predict::FieldSet::all().erase(predict::Field::source));
  EXPECT_EQ(receive.arguments.message_bytes, 1024);
  EXPECT_EQ(one.arrival.arrival_ns, 1900);
  EXPECT_EQ(one.posted_ns, 1000);
  EXPECT_TRUE(one.was_there);
}

TEST_F(TraceFile, HasOneHeader) {
  EXPECT_EQ(refusal(""), "reading the trace FILE, line 1: the file is empty");
  EXPECT_EQ(refusal(header), "reading the trace FILE: it has no messages");
  EXPECT_EQ(refusal("hello\n"),
            "reading the trace FILE, line 1: the line is no JSON object: "
            "'hello'");
  EXPECT_EQ(refusal(line), "reading the trace FILE, line 1: the line has no field 'format'");
  EXPECT_EQ(refusal(header + header),
            "reading the trace FILE, line 2: the line has no field 'rank'");
}

TEST_F(TraceFile, OfAnotherVersionIsRefused) {
  const std::size_t version = header.find('1');
  const std::string other =
      fmt::format("{}2{}", header.substr(0, version), header.substr(version + 1));
  EXPECT_EQ(refusal(other + line),
            "reading the trace FILE, line 1: the trace has version 2, and this program reads "
            "version 1");
}

TEST_F(TraceFile, ThatIsTruncatedIsRefused) {
  const std::string whole = header + line + line;
  EXPECT_EQ(refusal(whole.substr(0, whole.size() - 1)),
            "reading the trace FILE, line 3: the line has no end: the file is truncated");
  EXPECT_EQ(refusal(whole.substr(0, whole.size() - 70)),
            "reading the trace FILE, line 3: the line has no end: the file is truncated");
  EXPECT_EQ(refusal(header.substr(0, 20)),
            "reading the trace FILE, line 1: the line has no end: the file is truncated");
}

TEST_F(TraceFile, WrongFieldsAreNamed) {
  const auto said = [&](const std::string& field, const std::string& value) {
    const std::string text = refusal(header + line + line_with(field, value));
    const std::string place = "reading the trace FILE, line 3: ";
    EXPECT_EQ(text.substr(0, place.size()), place);
    return text.substr(place.size());
  };
  EXPECT_EQ(said("bytes", ""), "the line has no field 'bytes'");
  EXPECT_EQ(said("rank", "2"), "rank must be an integer from 0 to 1, not 2");
  EXPECT_EQ(said("source", "-1"), "source must be an integer from 0 to 2147483647, not -1");
  EXPECT_EQ(said("tag", "\"5\""), "tag must be an integer from 0 to 2147483647, not \"5\"");
  EXPECT_EQ(said("bytes", "1.5"),
            "bytes must be an integer from 0 to 2305843009213693952, not 1.5");
  EXPECT_EQ(said("was_there", "1"), "was_there must be true or false, not 1");
  EXPECT_EQ(said("arrival_ns", "999"),
            "arrival_ns must be an integer from 1000 to 2305843009213693952, not 999");
  EXPECT_EQ(said("posted_tag", "6"), "a message whose tag is 5 cannot match posted_tag 6");
  EXPECT_EQ(said("posted_bytes", "799"),
            "a message whose bytes is 800 cannot match posted_bytes 799");
  EXPECT_EQ(said("tag", "5, \"extra\": 1"), "the line has a field 'extra' that means nothing");
}

TEST_F(TraceFile, LongLinesAreNotRepeated) {
  EXPECT_EQ(refusal(std::string(5000, 'x') + "\n"),
            "reading the trace FILE, line 1: the line has 5000 bytes, and may have 4096");
}

TEST_F(TraceFile, HasToBeAFile) {
  try {
    read_trace(testing::TempDir());
    FAIL();
  } catch (const error& failure) {
    EXPECT_EQ(failure.happened(), "it is no regular file");
  }
  EXPECT_THROW(read_trace(path_ + ".missing"), error);
}

}  // namespace
}  // namespace tasuki::apps
