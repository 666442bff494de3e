#include "sssp/crauser.hpp"

namespace tasuki::sssp {

std::unique_ptr<Solver> make_both(Search& search, Weight) {
  return std::make_unique<Crauser<true, true>>(search);
}

}  // namespace tasuki::sssp
