#include "coll/patterns/partition.hpp"
#include "coll/phases/tree_pipeline.hpp"

namespace tasuki::coll::broadcast {
namespace {

constexpr ParameterDeclaration parameters[] = {segment_bytes(32 << 10)};

int half_segments(const Shape& shape, const Parameters& given) {
  return segments_of(ceil_div(shape.count, 2), shape, given);
}

/// The ranks but the root in two halves, by their numbers relative to it, and the message in two.
/// The root heads the binary tree of either.
class Halves {
 public:
  explicit Halves(const Shape& shape)
      : shape_(shape), ranks_(as_size(shape.ranks - 1), 2), data_(shape.count, 2) {}

  Slice data(int side) const { return {Buffer::output, data_.offset(side), data_.count(side)}; }
  int height() const { return size(0) == 0 ? 0 : 1 + kary_tree(size(0), 0, 0, 2).height; }

  TreeNode node(int rank, int side) const {
    TreeNode node;
    if (rank == shape_.root) {
      if (size(side) > 0) node.children.push_back(member(side, 0));
      return node;
    }
    const Member self = member_of(rank);
    if (self.side != side) return node;
    node = kary_tree(size(side), self.index, 0, 2);
    ++node.depth;
    node.parent = node.parent < 0 ? shape_.root : member(side, node.parent);
    for (int& child : node.children) child = member(side, child);
    return node;
  }

  /// Member i of one half and member i of the other swap halves of the message; who has no partner
  /// gets the second half from the root.
  void write_exchange(ScheduleBuilder& builder, int rank) const {
    const int unpaired = size(0) > size(1) ? size(1) : -1;
    if (rank == shape_.root) {
      if (unpaired >= 0) builder.send(member(0, unpaired), data(1));
      builder.next_round();
      return;
    }
    const Member self = member_of(rank);
    if (self.side == 0 && self.index == unpaired) {
      builder.receive(shape_.root, data(1));
    } else {
      const int partner = member(1 - self.side, self.index);
      builder.send(partner, data(self.side));
      builder.receive(partner, data(1 - self.side));
    }
    builder.next_round();
  }

 private:
  struct Member {
    int side;
    int index;
  };

  int size(int side) const { return static_cast<int>(ranks_.count(side)); }
  int member(int side, int index) const {
    return (shape_.root + 1 + static_cast<int>(ranks_.offset(side)) + index) % shape_.ranks;
  }
  /// Requires: not the root.
  Member member_of(int rank) const {
    const int index = wrapped(rank - shape_.root, shape_.ranks) - 1;
    return index < size(0) ? Member{0, index} : Member{1, index - size(0)};
  }

  const Shape& shape_;
  Partition ranks_;
  Partition data_;
};

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const Halves halves(shape);
  const int segments = half_segments(shape, given);
  Timeline timeline;
  for (const int side : {0, 1}) {
    pipeline_down(timeline, halves.node(shape.rank, side), halves.data(side), segments);
  }
  timeline.write(builder);
  halves.write_exchange(builder, shape.rank);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  return {as_size(Halves(shape).height() + half_segments(shape, given)),
          as_size(shape.ranks - 1) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor split_binary = {
    .collective = Collective::broadcast,
    .name = "split_binary",
    .summary =
        "Each half of the message goes down its own half of the ranks, then the ranks exchange "
        "halves in pairs (Open MPI; Pjesivac-Grbovic et al. 2007).",
    .parameters = parameters,
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: height + s, height of the tree of the first half; elements: (p - 1) n; s = "
        "segments of a half",
};

}  // namespace tasuki::coll::broadcast
