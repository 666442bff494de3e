#include "sssp/crauser.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {

std::uint64_t solve_both(Search& search, Weight) { return Crauser<true, true>(search).solve(); }

}  // namespace tasuki::sssp
