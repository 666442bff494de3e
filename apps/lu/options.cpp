#include "lu/options.hpp"

#include <CLI/CLI.hpp>

namespace tasuki::lu {

Options parse_options(int argc, const char* const* argv) {
  Options options;
  CLI::App line("LU factorisation with partial pivoting.", "lu");
  line.add_option("--size", options.n, "rows and columns of the matrix")
      ->check(CLI::Range(1, 46'340))
      ->capture_default_str();
  line.add_option("--block", options.block, "columns of a panel")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  line.add_flag("--speedup", options.speedup, "measure dgetrf of one thread too");
  apps::add_common_options(line, options);
  apps::parse(line, argc, argv);
  return options;
}

}  // namespace tasuki::lu
