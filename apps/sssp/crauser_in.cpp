#include "sssp/crauser.hpp"

namespace tasuki::sssp {

std::unique_ptr<Solver> make_in(Search& search, Weight) {
  return std::make_unique<Crauser<true, false>>(search);
}

}  // namespace tasuki::sssp
