// An algorithm of a collective: a pure function from a shape to a schedule, or a name for what the
// runtime does without messages; and what is known about it.
//
// One descriptor per file src/coll/COLLECTIVE/NAME.cpp; all of them are listed in registry.hpp.
// Thread-safety: constant data and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tasuki/coll/collective.hpp>
#include <tasuki/coll/parameters.hpp>
#include <tasuki/coll/schedule.hpp>
#include <tasuki/coll/shape.hpp>

namespace tasuki::coll {

inline constexpr std::size_t any_ports = SIZE_MAX;

/// What the literature says an algorithm costs.
struct Cost {
  /// Ticks: in each a rank sends at most `ports` messages and receives at most as many, whatever
  /// their sizes; local steps take no time. Holds where no block is empty.
  std::size_t rounds = 0;
  /// Elements sent by all ranks together (0 for barriers).
  std::size_t elements = 0;
  /// 1 is the telephone model; trees and pipelines are usually stated for `any_ports`.
  std::size_t ports = 1;

  bool operator==(const Cost&) const = default;
};

/// What carries an algorithm.
enum class Medium : std::uint8_t {
  messages,       ///< A schedule: whatever sends messages can carry it out.
  shared_memory,  ///< The runtime itself, in memory that all ranks share.
  peer_memory,    ///< The runtime itself, reading the memory of the others where it lies.
  network,        ///< The network's own library, which has collectives of its own.
};

/// In which order an algorithm combines the operands x0, x1, ... of the ranks.
enum class Order : std::uint8_t {
  own,    ///< In one that may follow from the size, the root, and where an element lies.
  ranks,  ///< ((x0 OP x1) OP x2) ..., for every element, as a loop over the ranks would.
};

/// How the ranks learn sizes that their rounds depend on and that only others know: by a schedule
/// of its own before the one of the collective. So such an algorithm is two schedules, each a pure
/// function of what is known when it begins.
struct Inquiry {
  /// Its elements are std::size_t; the input is shape.send_counts, the output are the answers.
  Schedule (*make)(const Shape& shape, const Parameters& parameters);
  std::size_t (*answers_count)(const Shape& shape, const Parameters& parameters);
  /// The schedule of the collective.
  Schedule (*make_after)(const Shape& shape, const Parameters& parameters,
                         std::span<const std::size_t> answers);
};

struct AlgorithmDescriptor {
  Collective collective;
  const char* name;     ///< The field's name with underscores; unique within its collective.
  const char* summary;  ///< One sentence with the source: author, year.
  /// "" if the algorithm can do this, else why not. Every rank comes to the same answer, because
  /// only what all ranks know is asked for: ranks, count (not of v-forms), commutative, in_place,
  /// arithmetic.
  std::string (*not_applicable_because)(const Shape& shape, const Parameters& parameters);
  std::span<const ParameterDeclaration> parameters = {};
  /// Requires: applicable; all parameters set. Deterministic. nullptr unless carried by messages,
  /// and if there is an inquiry.
  Schedule (*make)(const Shape& shape, const Parameters& parameters) = nullptr;
  const char* cost_text;  ///< `cost` in words; p = ranks, n = count.
  /// `shapes` are those of all ranks in order. nullptr unless carried by messages. Without what an
  /// inquiry costs.
  Cost (*cost)(std::span<const Shape> shapes, const Parameters& parameters) = nullptr;
  Medium medium = Medium::messages;
  Order order = Order::own;  ///< Of collectives that reduce.
  const Inquiry* inquiry = nullptr;
};

/// Why the algorithm is not for this call, or "": its precondition, and the order of combination
/// if the result has to be reproducible. Every rank comes to the same answer.
std::string not_usable_because(const AlgorithmDescriptor& algorithm, const Shape& shape,
                               const Parameters& parameters);

/// For algorithms that can do everything.
std::string always_applicable(const Shape& shape, const Parameters& parameters);

/// `given` with the algorithm's defaults for what it leaves out.
/// Throws tasuki::error: a name that the algorithm does not know, a value out of range.
Parameters complete(const AlgorithmDescriptor& algorithm, const Parameters& given);

/// The schedule of this rank. Throws tasuki::error: not carried by messages, shape refused by
/// `check`, precondition not met, parameters refused by `complete`.
/// Requires: there is no inquiry.
Schedule make_schedule(const AlgorithmDescriptor& algorithm, const Shape& shape,
                       const Parameters& given = {});

/// The two schedules of an algorithm with an inquiry. Throw as make_schedule does, the second also
/// if the answers do not fit the shape. Require: there is an inquiry.
Schedule make_inquiry(const AlgorithmDescriptor& algorithm, const Shape& shape,
                      const Parameters& given = {});
Schedule make_schedule_after(const AlgorithmDescriptor& algorithm, const Shape& shape,
                             std::span<const std::size_t> answers, const Parameters& given = {});
/// How many answers there are. Throws tasuki::error: parameters refused by `complete`. Requires:
/// there is an inquiry.
std::size_t answers_count(const AlgorithmDescriptor& algorithm, const Shape& shape,
                          const Parameters& given = {});

}  // namespace tasuki::coll
