#include "radixsort/options.hpp"

#include <CLI/CLI.hpp>

#include "radixsort/digit.hpp"

namespace tasuki::radixsort {

Options parse_options(int argc, const char* const* argv) {
  constexpr std::int64_t most_keys = std::int64_t{1} << 31;
  Options options;
  CLI::App line("Radix sort.", "radixsort");
  line.add_option("--keys", options.key_count, "how many to sort")
      ->check(CLI::Range(std::int64_t{0}, most_keys))
      ->capture_default_str();
  line.add_option("--radix", options.radix, "values of a digit")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{largest_radix}))
      ->capture_default_str();
  line.add_flag("--speedup", options.speedup, "sort all on one rank without communication too");
  apps::add_common_options(line, options);
  apps::parse(line, argc, argv);
  return options;
}

}  // namespace tasuki::radixsort
