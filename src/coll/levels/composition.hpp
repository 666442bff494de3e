// A collective made of others among some of the ranks: within each node, and between nodes.
//
//   void compose(Composition& whole, const Shape& shape) {
//     const Levels levels = Levels::with_leaders(shape);
//     whole.part(levels.node(), {Collective::reduce}, input, output);
//     ...
//   }
//   .way = BySchedule{write_composed<compose>, composed_cost<compose>}
//
// Each part is done by the algorithm that the built-in policy has for it, whose schedule becomes a
// part of this one. Thread-safety: none; one per schedule.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>

namespace tasuki::coll {

/// Some of the ranks, in the order that they have in a part.
struct Group {
  std::vector<int> ranks;
  int place = -1;  ///< This rank's among them; -1: it takes no part.

  int size() const noexcept { return static_cast<int>(ranks.size()); }
};

/// What is asked of a part.
struct PartCall {
  Collective collective = Collective::barrier;
  std::size_t count = 0;  ///< As in Shape.
  int root = 0;           ///< Place of it in the group.
  bool in_place = false;
  /// Of v-forms: of the blocks of all, in the order of their places.
  std::vector<std::size_t> counts = {};
};

class Composition {
 public:
  explicit Composition(const Shape& whole) : whole_(whole) {}

  Slice scratch(std::size_t count);
  /// All ranks call it, those that take no part as well. `input` and `output` are what the part
  /// sees as its buffers.
  void part(const Group& group, const PartCall& call, Slice input, Slice output);
  /// On this rank, after the parts before.
  void local(LocalKind kind, Slice from, Slice to);
  void copy(Slice from, Slice to) { local(LocalKind::copy, from, to); }

  void write(ScheduleBuilder& builder) const;

  struct Part {
    Group group;
    Shape shape;
    Collective collective;
    Slice input, output;
  };
  struct Local {
    LocalKind kind;
    Slice from, to;
  };
  /// One after the other, as many on each rank but for local steps.
  std::vector<Part> parts() const;

 private:
  const Shape& whole_;
  std::size_t scratch_count_ = 0;
  std::vector<std::variant<Part, Local>> steps_;
};

using Compose = void (*)(Composition& whole, const Shape& shape);

void write_composition(Compose compose, ScheduleBuilder& builder, const Shape& shape);
/// The sum of what the parts cost; of parts of one number that of the costliest counts. Rounds are
/// a bound, as a rank that is through with its part begins the next.
Cost cost_of_composition(Compose compose, std::span<const Shape> shapes);

template <Compose compose>
void write_composed(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  write_composition(compose, builder, shape);
}
template <Compose compose>
Cost composed_cost(std::span<const Shape> shapes, const Parameters&) {
  return cost_of_composition(compose, shapes);
}

}  // namespace tasuki::coll
