// The options of a program, each declared once: its name, where its value goes, what it means.
//
// Used by the programs of the applications; the usage is made from the declarations.
// Thread-safety: one per thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::apps {

class CommandLine {
 public:
  /// What every program understands.
  static constexpr const char* json_help = "print one JSON object";
  static constexpr const char* split_help = "do not clock communication and waiting";
  static constexpr const char* perturb_help = "spoil the result: the run must report FAILED";

  /// `program` is as in "radixsort", for messages.
  explicit CommandLine(std::string program) : program_(std::move(program)) {}
  CommandLine(const CommandLine&) = delete;  // The options refer to it.
  CommandLine& operator=(const CommandLine&) = delete;

  /// `--name`: sets `value` to `if_given`.
  void add_flag(std::string name, bool& value, bool if_given, std::string help);
  /// `--name N`, an integer in [least, most].
  void add_number(std::string name, std::int64_t& value, std::int64_t least, std::int64_t most,
                  std::string help);
  /// `--name TEXT`; one of `choices`, any text if there are none.
  void add_text(std::string name, std::string& value, std::vector<std::string> choices,
                std::string help);

  /// Sets what the words say. Throws usage_error on anything else.
  void parse(int argc, const char* const* argv) const;

 private:
  struct Option {
    std::string name;
    std::string placeholder;  ///< Of its value; empty if it takes none.
    std::string help;
    std::function<void(std::string_view)> set;
  };

  std::string usage() const;
  [[noreturn]] void fail(const std::string& why, const std::string& remedy) const;

  std::string program_;
  std::vector<Option> options_;
};

}  // namespace tasuki::apps
