#include "common/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "common/usage_error.hpp"

namespace tasuki::apps {

void CommandLine::add_flag(std::string name, bool& value, bool if_given, std::string help) {
  options_.push_back({std::move(name), "", std::move(help),
                      [&value, if_given](std::string_view) { value = if_given; }});
}

void CommandLine::add_number(std::string name, std::int64_t& value, std::int64_t least,
                             std::int64_t most, std::string help) {
  const std::string what = fmt::format("--{} must be an integer from {} to {}", name, least, most);
  const std::string remedy = fmt::format("as in --{} {}", name, std::clamp(value, least, most));
  help += fmt::format(" [{}]", value);
  options_.push_back(
      {std::move(name), "N", std::move(help), [=, this, &value](std::string_view text) {
         const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
         if (failure != std::errc() || end != text.data() + text.size() || value < least ||
             value > most)
           fail(fmt::format("{}, not '{}'", what, text), remedy);
       }});
}

void CommandLine::add_text(std::string name, std::string& value, std::vector<std::string> choices,
                           std::string help) {
  if (!value.empty()) help += fmt::format(" [{}]", value);
  const std::string placeholder =
      choices.empty() ? "TEXT" : fmt::format("{}", fmt::join(choices, "|"));
  const std::string what = fmt::format("--{} must be {}", name, placeholder);
  const std::string remedy = fmt::format("as in --{} {}", name, value);
  options_.push_back(
      {std::move(name), placeholder, std::move(help), [=, this, &value](std::string_view text) {
         if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end())
           fail(fmt::format("{}, not '{}'", what, text), remedy);
         value = text;
       }});
}

void CommandLine::parse(int argc, const char* const* argv) const {
  for (int index = 1; index < argc; ++index) {
    const std::string_view word = argv[index];
    const auto option = std::find_if(options_.begin(), options_.end(),
                                     [&](const Option& one) { return word == "--" + one.name; });
    if (option == options_.end())
      fail(fmt::format("cannot understand '{}'", word), "choose from these\n" + usage());
    if (option->placeholder.empty()) {
      option->set("");
    } else if (++index < argc) {
      option->set(argv[index]);
    } else {
      fail(fmt::format("{} needs a value", word), "choose from these\n" + usage());
    }
  }
}

std::string CommandLine::usage() const {
  std::string text = "Options:";
  for (const Option& option : options_)
    text += fmt::format("\n  {:<20} {}", fmt::format("--{} {}", option.name, option.placeholder),
                        option.help);
  return text;
}

void CommandLine::fail(const std::string& why, const std::string& remedy) const {
  throw usage_error(fmt::format("tasuki: {}: {}. Remedy: {}", program_, why, remedy));
}

}  // namespace tasuki::apps
