#include "runtime/collectives/collective_failure.hpp"

#include <fmt/format.h>

#include <exception>
#include <tasuki/error.hpp>

namespace tasuki::runtime {

void end_job_by_exception() {
  constexpr const char* text =
      "a collective: its operator threw {}. Remedy: let no exception leave an operator; the other "
      "ranks wait for its result";
  try {
    throw;
  } catch (const error& failure) {
    base::die(failure.what());
  } catch (const std::exception& failure) {
    base::die(fmt::format(text, failure.what()));
  } catch (...) {
    base::die(fmt::format(text, "something that is no std::exception"));
  }
}

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
