#include "node/segment/node_function.hpp"
#include "node/segment/others.hpp"
#include "node/segment/pieces.hpp"
#include "node/single_copy/exposure.hpp"

namespace tasuki::node::single_copy {
namespace {

using coll::Collective;

/// Of a broadcast: below, a copy is over before both know where to copy.
constexpr std::size_t root_share_least_bytes = 65536;

/// The root copies the end of the vector for each of the others, so that all cores have as much to
/// do. Where ranks share cores it would only wait for them. All go by what the root says.
void run(StagingBuffer& buffer, const coll::Call& call, std::size_t) {
  const std::size_t bytes = call.shape.count * call.shape.element_bytes;
  const auto ranks = static_cast<std::size_t>(buffer.ranks());
  const int root = call.shape.root;
  std::byte* const vector = output_of(call);
  const bool has_core = buffer.host().traits().may_spin;
  const std::size_t by_root = has_core && bytes >= root_share_least_bytes ? bytes / ranks : 0;
  Exposure data(buffer, vector, by_root, call);
  if (buffer.rank() == root) {
    const std::size_t begin = bytes - by_root;
    for_each_other(buffer, [&](int rank) { data.write(rank, begin, {vector + begin, by_root}); });
    data.end(true);
  } else {
    data.read(root, 0, {vector, bytes - data.number_of(root)});
    data.end_with(root);
  }
}

}  // namespace

extern const coll::AlgorithmDescriptor broadcast = {
    .collective = Collective::broadcast,
    .name = "single_copy",
    .summary =
        "Every rank copies the data straight out of the root's memory (Chai, Lai, Jin and Panda "
        "2008); where it has a core of its own, the root copies the end of long data to each.",
    .way = in_peer_memory<run>,
    .cost_text = "p - 1 copies of n at the same time",
};

}  // namespace tasuki::node::single_copy
