#include "runtime/collectives/length_mismatch.hpp"

#include <fmt/format.h>

namespace tasuki::runtime {

std::string text_of(const LengthMismatch& mismatch) {
  const std::string sender =
      mismatch.source < 0 ? "another rank" : fmt::format("rank {}", mismatch.source);
  const std::string length =
      mismatch.arrived_bytes.has_value()
          ? fmt::format("{} bytes where {} are expected", *mismatch.arrived_bytes,
                        mismatch.expected_bytes)
      : mismatch.source < 0
          ? std::string("more than is expected")
          : fmt::format("more than the {} bytes that are expected", mismatch.expected_bytes);
  return fmt::format(
      "{}: {} sent {}. Remedy: all ranks of a team must call the same collectives, in the same "
      "order, with sizes that fit",
      mismatch.collective, sender, length);
}

}  // namespace tasuki::runtime
