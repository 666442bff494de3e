#include "radixsort/options.hpp"

#include "common/command_line.hpp"
#include "radixsort/digit.hpp"

namespace tasuki::radixsort {

Options parse_options(int argc, const char* const* argv) {
  constexpr std::int64_t most_keys = std::int64_t{1} << 31;
  Options options;
  apps::CommandLine line("radixsort");
  line.add_number("keys", options.key_count, 0, most_keys, "how many to sort");
  line.add_number("radix", options.radix, 2, largest_radix, "values of a digit");
  line.add_flag("speedup", options.speedup, true, "sort all on one rank without communication too");
  line.add_flag("json", options.json, true, apps::CommandLine::json_help);
  line.add_flag("no-split", options.split, false, apps::CommandLine::split_help);
  line.add_flag("perturb", options.perturb, true, apps::CommandLine::perturb_help);
  line.parse(argc, argv);
  return options;
}

}  // namespace tasuki::radixsort
