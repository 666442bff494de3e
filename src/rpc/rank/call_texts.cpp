#include "rpc/rank/call_texts.hpp"

#include <cstdlib>
#include <utility>

namespace tasuki::rpc {

CallTexts::~CallTexts() {
  for (const Argument& one : arguments_) {
    for (std::size_t i = 0; i < one.pointers.size(); ++i) {
      const bool is_own = i < one.sent.size() && one.pointers[i] == one.sent[i].data();
      if (one.is_returned && !is_own) std::free(one.pointers[i]);
    }
  }
}

char** CallTexts::add(const Parameter& parameter, std::size_t count, const nlohmann::json& texts) {
  Argument made{parameter.name, parameter.is_returned()};
  if (parameter.is_sent()) made.sent = texts.at(parameter.name).get<std::vector<std::string>>();
  return add(std::move(made), count);
}

char** CallTexts::add(std::string text) { return add(Argument{"", false, {std::move(text)}}, 1); }

char** CallTexts::add(Argument argument, std::size_t count) {
  Argument& kept = arguments_.emplace_back(std::move(argument));
  for (std::string& one : kept.sent) kept.pointers.push_back(one.data());
  kept.pointers.resize(count + 1);  // A NULL behind the last, as C has it.
  return kept.pointers.data();
}

nlohmann::json CallTexts::results() const {
  nlohmann::json texts = nlohmann::json::object();
  for (const Argument& one : arguments_) {
    if (!one.is_returned) continue;
    nlohmann::json& own = texts[one.name] = nlohmann::json::array();
    for (std::size_t i = 0; i + 1 < one.pointers.size(); ++i) {
      own.push_back(one.pointers[i] == nullptr ? "" : std::string(one.pointers[i]));
    }
  }
  return texts;
}

}  // namespace tasuki::rpc
