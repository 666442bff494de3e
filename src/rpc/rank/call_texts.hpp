// The texts of one call in a rank's memory, as C has them: pointers to characters.
//
// A text that the routine gives back is memory that it has allocated by malloc, and that is freed
// here. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/interface/texts.hpp"

namespace tasuki::rpc {

class CallTexts {
 public:
  CallTexts() = default;
  ~CallTexts();
  CallTexts(const CallTexts&) = delete;
  CallTexts& operator=(const CallTexts&) = delete;

  /// Returns: pointers to the texts, NULL for those that only come back. `texts` are what has been
  /// sent, and have passed check_texts.
  char** add(const Parameter& parameter, std::size_t count, const nlohmann::json& texts);
  /// A single one. Returns: a pointer to its pointer.
  char** add(std::string text);
  /// The texts that come back, by the names of their arguments.
  nlohmann::json results() const;

 private:
  struct Argument {
    std::string name;
    bool is_returned = false;
    std::vector<std::string> sent = {};
    std::vector<char*> pointers = {};
  };

  char** add(Argument argument, std::size_t count);

  std::list<Argument> arguments_;
};

}  // namespace tasuki::rpc
