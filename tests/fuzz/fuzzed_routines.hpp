// Routines with an argument of each kind, as a program of ranks has them and as clients call them.
//
// Used by the targets of libFuzzer. Thread-safety: constant values.
#pragma once

#include "rpc/rank/rank_program.hpp"

namespace tasuki::fuzz {

/// f(IN int64 n, INOUT double a[n], IN string s, OUT string t[1], INOUT filename u,
/// g(IN double x[n], OUT double y[1])) and class K with a method m(OUT int64 count[1]).
const rpc::Module& fuzzed_module();
/// The functions of these: f reads and writes all of its block, and calls g.
const rpc::RankProgram& fuzzed_program();

}  // namespace tasuki::fuzz
