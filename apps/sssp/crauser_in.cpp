#include "sssp/crauser.hpp"
#include "sssp/method.hpp"

namespace tasuki::sssp {

std::uint64_t solve_in(Search& search, Weight) { return Crauser<true, false>(search).solve(); }

}  // namespace tasuki::sssp
