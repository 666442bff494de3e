#include "npb/common/options.hpp"

#include <CLI/CLI.hpp>

namespace tasuki::npb {

Options parse_options(int argc, const char* const* argv) {
  Options options;
  std::string problem_class{static_cast<char>(options.problem_class)};
  CLI::App line("A kernel of the NAS Parallel Benchmarks.", "npb");
  line.add_option("--class", problem_class, "size of the problem")
      ->transform(CLI::IsMember({"S", "W", "A", "B", "C"}, CLI::ignore_case))
      ->capture_default_str();
  std::string exchanged = "auto";
  line.add_option("--exchange", exchanged, "of IS: what the ranks exchange")
      ->check(CLI::IsMember({"auto", "counts", "keys"}))
      ->capture_default_str();
  add_common_options(line, options);
  parse(line, argc, argv);
  options.problem_class = static_cast<ProblemClass>(problem_class[0]);
  if (exchanged == "counts") options.exchanged = Exchanged::counts;
  if (exchanged == "keys") options.exchanged = Exchanged::keys;
  return options;
}

}  // namespace tasuki::npb
