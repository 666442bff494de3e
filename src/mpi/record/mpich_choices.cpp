#include <tasuki/detail/mpi/record/mpich_choices.hpp>

#include <regex>
#include <string>

namespace tasuki::mpi::record {

std::vector<std::string> choices_in(std::string_view description) {
  static const std::regex choice("([A-Za-z][A-Za-z0-9_]*) *- +(?:Force|Internal)");
  static const std::regex word_before("^(?:algorithm|Tree)");
  const std::string text(description);
  std::vector<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), choice), end; found != end; ++found) {
    names.push_back(std::regex_replace((*found)[1].str(), word_before, ""));
  }
  return names;
}

}  // namespace tasuki::mpi::record
