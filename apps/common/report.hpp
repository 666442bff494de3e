// The result of a program, as a table for people or one JSON object for programs.
//
// Called on rank 0 when all ranks have finished. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "common/json.hpp"
#include "common/measurement.hpp"

namespace tasuki::apps {

/// One value that is known beforehand.
struct Check {
  std::string what;  ///< As in a sentence: "zeta", "rank of key 2112377 in iteration 3".
  double value = 0;
  double expected = 0;
  double tolerance = 0;   ///< Relative; 0 = exact.
  bool is_limit = false;  ///< `expected` is the most that `value` may be.

  /// |value - expected| <= tolerance * |expected|; of a limit value <= expected.
  bool passed() const noexcept;
};

struct Report {
  std::string name = "";                       ///< "cg" or "is".
  std::string implementation = "";             ///< "mpi" or "tasuki".
  std::string transport = "";                  ///< What carried the messages.
  std::string title = "";                      ///< For people: "NPB CG class S".
  Json parameters = {};                        ///< An object: which problem this is, among others.
  Json findings = {};                          ///< An object or null: what else came out.
  std::string value_name = "";                 ///< JSON name of the checked value: "zeta".
  double operations = 0;                       ///< As the field counts them, for Mop/s.
  std::vector<Check> checks = {};              ///< Not empty; the first is shown when all pass.
  std::vector<Measurement> measurements = {};  ///< By rank.
  bool tells_wait = false;                     ///< Is waiting told apart from communication?
  double sequential_seconds = 0;               ///< Of the best sequential program; 0: not measured.

  bool verified() const noexcept;
  double seconds() const noexcept;  ///< The slowest rank's.
};

std::string table(const Report& report);
/// The object, as docs/formats/bench.md has it.
Json to_json(const Report& report);

/// Prints the table or, `as_json`, the object. Returns the exit code: 0 verified, 1 FAILED.
int print(const Report& report, bool as_json);

}  // namespace tasuki::apps
