// A collective made of others among some of the ranks: within each node, and between nodes.
//
//   void compose(Composition& whole, const Shape& shape) {
//     const Levels levels = Levels::with_leaders(shape, Leader::root);
//     const Slice data{Buffer::output, 0, shape.count};
//     const int root_node = shape.placement->node_of(shape.root);
//     whole.part(levels.across, {Collective::broadcast, shape.count, root_node}, {}, data);
//     whole.part(levels.node, {Collective::broadcast, shape.count, levels.leader_place}, {}, data);
//   }
//   ... .way = BySchedule{write_composed<compose>, composed_cost<compose>} ...
//
// The built-in policy chooses the algorithm of each part. The schedule of that algorithm becomes a
// piece of the whole schedule. Thread-safety: none; one per schedule.
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
  int place = -1;  ///< This rank's index in `ranks`; -1: it takes no part.
  /// As Shape::placement, of the group's ranks.
  const Placement* placement = nullptr;

  int size() const noexcept { return static_cast<int>(ranks.size()); }
};

/// What is asked of a part.
struct PartCall {
  Collective collective = Collective::barrier;
  std::size_t count = 0;  ///< As in Shape.
  int root = 0;           ///< Its index in the group.
  bool in_place = false;
  /// For v-forms: how many elements each rank of the group has, in the group's order. If all have
  /// as many, the form with equal blocks is used.
  std::vector<std::size_t> counts = {};
};

class Composition {
 public:
  explicit Composition(const Shape& whole) : whole_(whole) {}

  /// Reserves so many elements for data between parts.
  Slice scratch(std::size_t count);
  /// Adds a collective of the group. All ranks of the whole call it in the same order, also those
  /// that take no part in it. `input` and `output` are the buffers of the part.
  void part(const Group& group, PartCall call, Slice input, Slice output);
  /// Adds a step of this rank alone, which it does after all steps added before.
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
  /// The parts in order. All ranks have the same number of them.
  std::vector<Part> parts() const;

 private:
  const Shape& whole_;
  std::size_t scratch_count_ = 0;
  std::vector<std::variant<Part, Local>> steps_;
};

using Compose = void (*)(Composition& whole, const Shape& shape);

void write_composition(Compose compose, ScheduleBuilder& builder, const Shape& shape);
/// The costs of the parts added up, with enough ports. Where several groups do the same part at
/// once, the rounds are those of the slowest group. The sum of rounds is a bound: no rank waits for
/// all others between two parts, and some parts state the rounds that they take with one port.
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
