#include "lu/options.hpp"

#include "common/command_line.hpp"

namespace tasuki::lu {

Options parse_options(int argc, const char* const* argv) {
  Options options;
  apps::CommandLine line("lu");
  line.add_number("n", options.n, 1, 46'340, "rows and columns of the matrix");
  line.add_number("block", options.block, 1, 1024, "columns of a panel");
  line.add_flag("speedup", options.speedup, true, "measure dgetrf of one thread too");
  line.add_flag("json", options.json, true, apps::CommandLine::json_help);
  line.add_flag("no-split", options.split, false, apps::CommandLine::split_help);
  line.add_flag("perturb", options.perturb, true, apps::CommandLine::perturb_help);
  line.parse(argc, argv);
  return options;
}

}  // namespace tasuki::lu
