// What a program throws when it cannot understand its command line, or is asked for help.
//
// Thread-safety: a value.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

namespace tasuki::apps {

/// `what()` is "tasuki: PROGRAM: HAPPENED. Remedy: REMEDY", perhaps with the usage; or the help.
class usage_error : public std::runtime_error {
 public:
  explicit usage_error(const std::string& text, int exit_code = 2)
      : std::runtime_error(text), exit_code_(exit_code) {}

  /// 2, or 0 where the user asked for what() is.
  int exit_code() const noexcept { return exit_code_; }
  /// On standard error, or on standard output if it was asked for.
  void print() const { std::fprintf(exit_code_ == 0 ? stdout : stderr, "%s\n", what()); }

 private:
  int exit_code_;
};

}  // namespace tasuki::apps
