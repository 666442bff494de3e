// A file for one test, gone after it.
//
// Thread-safety: a value.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace tasuki::sssp {

class TemporaryFile {
 public:
  /// `ending` is as in .gr.
  TemporaryFile(const std::string& ending, const std::string& content)
      : path_(testing::TempDir() + "sssp-" + std::to_string(::getpid()) + ending) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace tasuki::sssp
