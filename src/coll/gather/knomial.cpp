#include "coll/patterns/tree.hpp"
#include "coll/phases/blocks.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll {
namespace {

/// The blocks of this rank's subtree of a k-nomial tree, which travel as one parcel.
struct SubtreeBlocks {
  /// `own` is the buffer of this rank's block, `all` that of all blocks at the root.
  SubtreeBlocks(ScheduleBuilder& builder, const Shape& on, int with_radix, Buffer own, Buffer all)
      : shape(on),
        radix(with_radix),
        node(knomial_tree(shape.ranks, shape.rank, shape.root, radix)),
        is_root(node.parent < 0),
        is_leaf(!is_root && node.children.empty()),
        self_block{own, 0, shape.count},
        at_root(Blocks::equal(all, shape.count)) {
    if (!is_root)
      parcel = is_leaf ? self_block : builder.scratch(size_below(shape.rank) * shape.count);
  }

  std::size_t size_below(int rank) const {
    const int relative = wrapped(rank - shape.root, shape.ranks);
    return as_size(knomial_subtree_size(shape.ranks, relative, radix));
  }
  /// Where those of a child lie here; at the root they may wrap around the last rank.
  std::vector<Slice> of_child(int child) const {
    const std::size_t size = size_below(child);
    if (is_root) return at_root.around(child, static_cast<int>(size), shape.ranks);
    const std::size_t before = as_size(wrapped(child - shape.rank, shape.ranks));
    return {parcel.part(before * shape.count, size * shape.count)};
  }
  /// Where this rank's block lies among them.
  Slice self_place() const {
    return is_root ? at_root.of(shape.rank) : parcel.part(0, shape.count);
  }

  const Shape& shape;
  int radix;
  TreeNode node;
  bool is_root;
  bool is_leaf;
  Slice self_block;
  Blocks at_root;
  Slice parcel;  ///< Unless it is the root.
};

void write_gather(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const SubtreeBlocks blocks(builder, shape, radix_of(given), Buffer::input, Buffer::output);
  if (!blocks.is_leaf) builder.copy(blocks.self_block, blocks.self_place());
  for (const int child : blocks.node.children) {
    builder.receive(child, posted_receive_for(builder, blocks.of_child(child)));
  }
  builder.next_round();
  if (!blocks.is_root) builder.send(blocks.node.parent, blocks.parcel);
}

void write_scatter(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const SubtreeBlocks blocks(builder, shape, radix_of(given), Buffer::output, Buffer::input);
  if (!blocks.is_root) builder.receive(blocks.node.parent, blocks.parcel);
  builder.next_round();
  std::vector<Transfer> sends;
  for (const int child : blocks.node.children) {
    sends.push_back({child, 0, packed(builder, blocks.of_child(child))});
  }
  builder.next_round();
  for (const Transfer& send : sends) builder.send(send.peer, send.slice);
  if (!blocks.is_leaf) builder.copy(blocks.self_place(), blocks.self_block);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int p = shapes.front().ranks;
  std::size_t blocks = 0;
  for (int v = 1; v < p; ++v) blocks += as_size(knomial_subtree_size(p, v, radix_of(given)));
  return {as_size(knomial_rounds(p, radix_of(given))), blocks * shapes.front().count};
}

}  // namespace

namespace gather {

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::gather,
    .name = "binomial",
    .summary =
        "Blocks of whole subtrees travel up a binomial tree (see Thakur, Rabenseifner and Gropp "
        "2005).",
    .way = BySchedule{write_gather, cost},
    .cost_text =
        "rounds: ceil(log2 p); elements: n times the sum of all subtree sizes, (p/2) log2 p for "
        "powers of two",
};

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::gather,
    .name = "knomial",
    .summary = "Blocks of whole subtrees travel up a k-nomial tree (UCC; binomial is radix 2).",
    .parameters = {&tree_radix, 1},
    .way = BySchedule{write_gather, cost},
    .cost_text =
        "rounds: about (k - 1) log_k p; elements: n times the sum of all subtree sizes; k = radix",
};

}  // namespace gather

namespace scatter {

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::scatter,
    .name = "binomial",
    .summary =
        "Blocks of whole subtrees travel down a binomial tree (see Thakur, Rabenseifner and Gropp "
        "2005).",
    .way = BySchedule{write_scatter, cost},
    .cost_text =
        "rounds: ceil(log2 p); elements: n times the sum of all subtree sizes, (p/2) log2 p for "
        "powers of two",
};

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::scatter,
    .name = "knomial",
    .summary = "Blocks of whole subtrees travel down a k-nomial tree (UCC; binomial is radix 2).",
    .parameters = {&tree_radix, 1},
    .way = BySchedule{write_scatter, cost},
    .cost_text =
        "rounds: about (k - 1) log_k p; elements: n times the sum of all subtree sizes; k = radix",
};

}  // namespace scatter

}  // namespace tasuki::coll
