// A folder for the files of one test.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tasuki::rpc {

/// It is there, with all that is in it, for as long as this lives.
class TemporaryFolder {
 public:
  TemporaryFolder() : name_(std::filesystem::temp_directory_path() / "tasuki_test_XXXXXX") {
    EXPECT_NE(mkdtemp(name_.data()), nullptr);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(name_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::string path_of(const std::string& file) const { return name_ + '/' + file; }
  /// Returns: its path.
  std::string write(const std::string& file, const std::string& text) const {
    std::ofstream(path_of(file)) << text;
    return path_of(file);
  }

 private:
  std::string name_;
};

}  // namespace tasuki::rpc
