// An algorithm of a collective: how it is carried out, and what is known about it.
//
// An algorithm by messages writes one rank's schedule, which follows from the shape and the
// parameters alone. Others are carried out by the layer that has the memory of a node, or by the
// MPI library. Each descriptor stands in the file of its algorithm and in one list (registry.hpp).
// Thread-safety: constant data and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/coll/parameters.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/shape.hpp>

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
  /// May `rounds` be more than it takes? So it is where the rounds of parts were added up, because
  /// a rank that has finished its part begins the next one without waiting for all others.
  bool is_bound = false;

  bool operator==(const Cost&) const = default;
};

/// What an algorithm needs of the transport.
enum class Medium : std::uint8_t {
  messages,       ///< A schedule: whatever sends messages can carry it out.
  shared_memory,  ///< Memory that all ranks share.
  peer_memory,    ///< That, and reading the private memory of the other ranks.
  mpi_library,    ///< The collectives of the MPI library.
};

/// In which order an algorithm combines the operands x0, x1, ... of the ranks.
enum class Order : std::uint8_t {
  own,    ///< In one that may follow from the size, the root, and where an element lies.
  ranks,  ///< ((x0 OP x1) OP x2) ..., for every element, as a loop over the ranks would.
};

/// `shapes` are those of all ranks in order.
using CostFunction = Cost (*)(std::span<const Shape> shapes, const Parameters& parameters);

/// By messages. `write` puts this rank's schedule into an empty builder; whoever calls it finishes.
/// Requires of `write`: applicable; all parameters set. Deterministic.
struct BySchedule {
  void (*write)(ScheduleBuilder& builder, const Shape& shape, const Parameters& parameters);
  CostFunction cost;
};

/// By messages whose sizes follow from what only other ranks know. The ranks exchange sizes first,
/// by a schedule of its own: the algorithm is two schedules, each a pure function of what is known
/// when it begins.
struct AfterSizeExchange {
  /// Its elements are std::size_t; the input is shape.send_counts, the output are the sizes.
  void (*write_size_exchange)(ScheduleBuilder& builder, const Shape& shape,
                              const Parameters& parameters);
  std::size_t (*sizes_count)(const Shape& shape, const Parameters& parameters);
  /// The schedule of the collective.
  void (*write)(ScheduleBuilder& builder, const Shape& shape, const Parameters& parameters,
                std::span<const std::size_t> sizes);
  CostFunction cost;  ///< Without the size exchange.
};

/// What the layer that has the memory of a node calls. Defined there; this layer only hands it on.
struct NodeFunction;

/// In memory that the ranks of a node share.
struct InNodeMemory {
  const NodeFunction* function = nullptr;
  bool reads_peers = false;  ///< Does it read the private memory of the other ranks?
};

/// By the MPI library's own collective.
struct ByMpiLibrary {};

/// For algorithms that can do everything.
std::string always_applicable(const Shape& shape, const Parameters& parameters);

using Way = std::variant<BySchedule, AfterSizeExchange, InNodeMemory, ByMpiLibrary>;

struct AlgorithmDescriptor {
  Collective collective;
  /// The form with blocks of different sizes, if the algorithm does that too: the registry then has
  /// it twice, once for each collective. A shape without counts has blocks of one size.
  std::optional<Collective> uneven = {};
  const char* name;     ///< The field's name with underscores; unique within its collective.
  const char* summary;  ///< One sentence with the source: author, year.
  /// "" if the algorithm can do this, else why not. Every rank comes to the same answer, because
  /// only what all ranks know is asked for: ranks, count (not of v-forms), in_place, operation.
  std::string (*not_applicable_because)(const Shape& shape,
                                        const Parameters& parameters) = always_applicable;
  std::span<const ParameterDeclaration> parameters = {};
  Way way;                   ///< How it is carried out.
  const char* cost_text;     ///< What it costs, in words; p = ranks, n = count.
  Order order = Order::own;  ///< Of collectives that reduce.

  Medium medium() const noexcept;
  bool exchanges_sizes() const noexcept { return std::holds_alternative<AfterSizeExchange>(way); }
};

/// Why the algorithm is not for this call, or "": its precondition, and the order of combination
/// if the result has to be reproducible. Every rank comes to the same answer.
std::string not_usable_because(const AlgorithmDescriptor& algorithm, const Shape& shape,
                               const Parameters& parameters);

/// `given` with the algorithm's defaults for what it leaves out.
/// Throws tasuki::error: a name that the algorithm does not know, a value out of range.
Parameters complete(const AlgorithmDescriptor& algorithm, const Parameters& given);

/// The schedule that this rank begins with: of the size exchange if the algorithm has one, else of
/// the collective. Throws tasuki::error: not carried by messages, shape refused by `check`,
/// precondition not met, parameters refused by `complete`.
Schedule make_schedule(const AlgorithmDescriptor& algorithm, const Shape& shape,
                       const Parameters& given = {});

/// The schedule of the collective after a size exchange. Throws as make_schedule does, also if the
/// sizes do not fit the shape. Requires: the algorithm exchanges sizes.
Schedule make_schedule_after(const AlgorithmDescriptor& algorithm, const Shape& shape,
                             std::span<const std::size_t> sizes, const Parameters& given = {});
/// How many sizes a rank learns. Throws tasuki::error: parameters refused by `complete`. Requires:
/// the algorithm exchanges sizes.
std::size_t exchanged_sizes_count(const AlgorithmDescriptor& algorithm, const Shape& shape,
                                  const Parameters& given = {});

}  // namespace tasuki::coll
