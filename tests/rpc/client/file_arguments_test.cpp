#include "rpc/client/file_arguments.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

namespace fs = std::filesystem;
using Names = std::map<std::string, std::string>;

class FileArgumentsTest : public testing::Test {
 protected:
  FileArgumentsTest() { std::ofstream(in()) << "text"; }
  ~FileArgumentsTest() override { fs::remove_all(folder_); }

  std::string in() const { return folder_ / "in"; }
  std::string out() const { return folder_ / "out"; }
  std::string happened(const Names& names) const {
    try {
      const FileArguments files(routine_, names);
    } catch (const error& fault) {
      return fault.happened();
    }
    return "";
  }

  const fs::path folder_ = [] {
    std::string name = fs::temp_directory_path() / "file_arguments_XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    return name;
  }();
  const Routine routine_{"f",
                         "",
                         {parameter("n", Mode::in, Number::int32), file_parameter("a", Mode::in),
                          file_parameter("b", Mode::out), file_parameter("w", Mode::work)}};
};

TEST_F(FileArgumentsTest, TheSizesOfThoseThatAreSentAreInTheMessage) {
  const FileArguments files(routine_, {{"a", in()}, {"b", out()}});
  EXPECT_EQ(files.sent_bytes(), 4);
  Exchange exchange;
  files.place(exchange);
  EXPECT_EQ(exchange.message["files"], nlohmann::json({{"a", 4}}));
  ASSERT_EQ(exchange.sent_files.size(), 1U);
  EXPECT_EQ(exchange.sent_files[0].bytes, 4);
  ASSERT_EQ(exchange.returned_files.size(), 1U);
  EXPECT_EQ(exchange.returned_files[0].name, "b");
  EXPECT_EQ(write(exchange.returned_files[0].descriptor, "x", 1), 1);
  EXPECT_EQ(fs::file_size(out()), 1U);
}

TEST_F(FileArgumentsTest, AFileForResultsIsLeftOnlyOnceTheyAreThere) {
  { const FileArguments files(routine_, {{"a", in()}, {"b", out()}}); }
  EXPECT_FALSE(fs::exists(out()));
  {
    FileArguments files(routine_, {{"a", in()}, {"b", out()}});
    files.keep();
  }
  EXPECT_TRUE(fs::exists(out()));
  // One that was there before stays.
  { const FileArguments files(routine_, {{"a", in()}, {"b", out()}}); }
  EXPECT_TRUE(fs::exists(out()));
}

TEST_F(FileArgumentsTest, WhatIsMadeBeforeAnErrorIsRemoved) {
  const Routine two{"f", "", {file_parameter("b", Mode::out), file_parameter("a", Mode::in)}};
  EXPECT_THROW(FileArguments(two, {{"a", folder_ / "none"}, {"b", out()}}), error);
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(FileArgumentsTest, ErrorsNameTheArgumentAndTheFile) {
  EXPECT_EQ(happened({{"b", out()}}), "a: the file '': no name is given");
  EXPECT_EQ(happened({{"a", folder_ / "none"}, {"b", out()}}),
            "a: the file '" + (folder_ / "none").string() + "': No such file or directory");
  EXPECT_EQ(happened({{"a", folder_}, {"b", out()}}),
            "a: the file '" + folder_.string() + "': it is no regular file");
  EXPECT_EQ(happened({{"a", in()}, {"b", std::string("x\0y", 3)}}),
            std::string("b: the file 'x\0y': the name holds NUL", 37));
}

}  // namespace
}  // namespace tasuki::rpc
