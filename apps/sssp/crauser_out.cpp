#include "sssp/crauser.hpp"

namespace tasuki::sssp {

std::unique_ptr<Solver> make_out(Search& search, Weight) {
  return std::make_unique<Crauser<false, true>>(search);
}

}  // namespace tasuki::sssp
