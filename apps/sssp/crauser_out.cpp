#include "sssp/crauser.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {

std::uint64_t solve_out(Search& search, Weight) { return Crauser<false, true>(search).solve(); }

}  // namespace tasuki::sssp
