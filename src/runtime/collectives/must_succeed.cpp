#include "runtime/collectives/must_succeed.hpp"

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

}  // namespace tasuki::runtime
