// The command lines of programs: CLI11 reads them, and says what is wrong as usage_error.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

// No CLI11 here: SimGrid's SMPI, whose programs include this, makes a macro of `exit`.
namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own name
class App;
}

namespace tasuki::apps {

/// What every program that measures an application understands.
struct CommonOptions {
  bool json = false;     ///< One JSON object instead of the table.
  bool split = true;     ///< Clock communication and waiting (two clock reads each).
  bool perturb = false;  ///< Spoil the result, to see that it is noticed.
};

/// Declares --json, --no-split and --perturb. `options` outlives the parsing.
void add_common_options(CLI::App& line, CommonOptions& options);

/// Sets what the words say. Throws usage_error on anything else, with the options there are unless
/// it is a value of one that is wrong, and on --help.
void parse(CLI::App& line, int argc, const char* const* argv);

}  // namespace tasuki::apps
