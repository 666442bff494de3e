#include "measure/loop.hpp"

#include <CLI/CLI.hpp>

#include "common/command_line.hpp"

namespace tasuki::apps {

Loop parse_loop(int argc, const char* const* argv) {
  Loop loop;
  CLI::App line("Calls a collective again and again.", "repeated_collective");
  line.add_option("collective", loop.collective, "what is called")
      ->required()
      ->check(CLI::IsMember({"allreduce", "alltoall"}));
  line.add_option("bytes", loop.bytes, "of the operand, or of the block for each rank")
      ->required()
      ->check(CLI::Range(1, 1 << 30));
  line.add_option("calls", loop.calls, "how often")->required()->check(CLI::Range(1, 1 << 30));
  parse(line, argc, argv);
  return loop;
}

}  // namespace tasuki::apps
