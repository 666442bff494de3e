#include "npb/common/options.hpp"

#include <cctype>
#include <string>
#include <string_view>

namespace tasuki::npb {
namespace {

constexpr std::string_view usage =
    "Usage: --class S|W|A|B|C [--json] [--no-split] [--perturb] [--exchange auto|counts|keys]\n"
    "  --class C    size of the problem\n"
    "  --json       print one JSON object\n"
    "  --no-split   do not clock the communication\n"
    "  --perturb    spoil the input: the run must report FAILED\n"
    "  --exchange   of IS: what the ranks exchange";

ProblemClass parse_class(std::string_view text) {
  constexpr std::string_view known = "SWABC";
  const char letter =
      text.size() == 1 ? static_cast<char>(std::toupper(static_cast<unsigned char>(text[0]))) : '?';
  if (known.find(letter) == std::string_view::npos)
    throw usage_error("unknown class '" + std::string(text) + "'.\n" + std::string(usage));
  return static_cast<ProblemClass>(letter);
}

Exchanged parse_exchanged(std::string_view text) {
  if (text == "auto") return Exchanged::cheaper;
  if (text == "counts") return Exchanged::counts;
  if (text == "keys") return Exchanged::keys;
  throw usage_error("unknown exchange '" + std::string(text) + "'.\n" + std::string(usage));
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int index = 1; index < argc; ++index) {
    const std::string_view word = argv[index];
    if (word == "--class" && index + 1 < argc) {
      options.problem_class = parse_class(argv[++index]);
    } else if (word == "--exchange" && index + 1 < argc) {
      options.exchanged = parse_exchanged(argv[++index]);
    } else if (word == "--json") {
      options.json = true;
    } else if (word == "--no-split") {
      options.split = false;
    } else if (word == "--perturb") {
      options.perturb = true;
    } else {
      throw usage_error("cannot understand '" + std::string(word) + "'.\n" + std::string(usage));
    }
  }
  return options;
}

}  // namespace tasuki::npb
