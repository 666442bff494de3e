// A fiber that waits, as tests of reports need it. Thread-safety: safe.
#pragma once

#include <string>

#include "runtime/world/hang_answer.hpp"

namespace tasuki::runtime {

/// The main function, which waits for something of that rank; -1: nobody knows of which.
inline WaitingFiber waiting_main(int awaited_rank, const std::string& waiting_for) {
  WaitingFiber fiber;
  fiber.awaited_rank = awaited_rank;
  fiber.doing = "main";
  fiber.waiting_for = waiting_for;
  return fiber;
}

}  // namespace tasuki::runtime
