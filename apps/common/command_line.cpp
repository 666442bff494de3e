#include "common/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/usage_error.hpp"

namespace tasuki::apps {

void add_common_options(CLI::App& line, CommonOptions& options) {
  line.add_flag("--json", options.json, "print one JSON object");
  line.add_flag("--no-split{false}", options.split, "do not clock communication and waiting");
  line.add_flag("--perturb", options.perturb, "spoil the result: the run must report FAILED");
}

void parse(CLI::App& line, int argc, const char* const* argv) {
  try {
    line.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw usage_error(line.help(), 0);
  } catch (const CLI::ValidationError& failure) {
    throw usage_error(fmt::format("tasuki: {}: {}. Remedy: give a value that --help shows.",
                                  line.get_name(), failure.what()));
  } catch (const CLI::ParseError& failure) {
    throw usage_error(fmt::format("tasuki: {}: {}. Remedy: choose from these.\n{}", line.get_name(),
                                  failure.what(), line.help()));
  }
}

}  // namespace tasuki::apps
