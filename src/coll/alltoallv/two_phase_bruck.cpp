#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "coll/patterns/bruck_hops.hpp"
#include "coll/phases/blocks.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::alltoallv {
namespace {

/// One for each block that comes by, in the order of the hops and of the ways within one.
std::size_t sizes_count(const Shape& shape, const Parameters& given) {
  std::size_t blocks = 0;
  for (const BruckPhase& phase : bruck_phases(shape.ranks, radix_of(given))) {
    for (const BruckHop& hop : phase) {
      blocks += ways_of(hop, shape.ranks, radix_of(given)).size();
    }
  }
  return blocks;
}

/// The sizes travel as the blocks will.
void write_size_exchange(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int p = shape.ranks;
  // By way: the size of the block that is here now.
  const Slice here = builder.scratch(as_size(p));
  for (int way = 0; way < p; ++way) {
    const std::size_t target = as_size((shape.rank + way) % p);
    builder.copy({Buffer::input, target, 1}, here.part(as_size(way), 1));
  }
  const Slice outgoing = builder.scratch(as_size(p));
  std::size_t known = 0;
  for (const BruckPhase& phase : bruck_phases(p, radix_of(given))) {
    std::vector<Slice> parcels;
    std::size_t used = 0;
    for (const BruckHop& hop : phase) {
      const std::vector<int> ways = ways_of(hop, p, radix_of(given));
      parcels.push_back(outgoing.part(used, ways.size()));
      for (const int way : ways) {
        builder.copy(here.part(as_size(way), 1), outgoing.part(used++, 1));
      }
    }
    builder.next_round();
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const std::vector<int> ways = ways_of(phase[i], p, radix_of(given));
      builder.send((shape.rank + phase[i].distance) % p, parcels[i]);
      builder.receive(wrapped(shape.rank - phase[i].distance, p),
                      {Buffer::output, known, ways.size()});
      for (const int way : ways) {
        builder.copy({Buffer::output, known++, 1}, here.part(as_size(way), 1));
      }
    }
  }
}

/// Builds one rank's hops; knows where the block of each way lies.
class Courier {
 public:
  Courier(ScheduleBuilder& builder, const Shape& shape, int radix,
          std::span<const std::size_t> sizes)
      : builder_(builder),
        ranks_(shape.ranks),
        rank_(shape.rank),
        radix_(radix),
        sizes_(sizes),
        places_(received_blocks(shape)) {
    const Blocks own = sent_blocks(shape);
    for (int way = 0; way < ranks_; ++way) here_.push_back(own.of((rank_ + way) % ranks_));
  }

  void carry() {
    deliver(here_.front(), rank_);
    for (const BruckPhase& phase : bruck_phases(ranks_, radix_)) carry_out(phase);
  }

 private:
  void carry_out(const BruckPhase& phase) {
    std::vector<Slice> parcels;
    std::size_t used = 0;
    make_room(phase);
    for (const BruckHop& hop : phase) parcels.push_back(pack(hop, used));
    builder_.next_round();
    for (std::size_t i = 0; i < phase.size(); ++i) {
      builder_.send((rank_ + phase[i].distance) % ranks_, parcels[i]);
      receive(phase[i]);
    }
  }

  /// For the parcels of the phase; used again in the next ones.
  void make_room(const BruckPhase& phase) {
    std::size_t count = 0;
    for (const BruckHop& hop : phase) {
      for (const int way : ways_of(hop, ranks_, radix_)) count += here_[as_size(way)].count;
    }
    if (outgoing_.count < count) outgoing_ = builder_.scratch(count);
  }

  Slice pack(const BruckHop& hop, std::size_t& used) {
    const std::size_t begin = used;
    for (const int way : ways_of(hop, ranks_, radix_)) {
      const Slice& block = here_[as_size(way)];
      builder_.copy(block, outgoing_.part(used, block.count));
      used += block.count;
    }
    return outgoing_.part(begin, used - begin);
  }

  void receive(const BruckHop& hop) {
    const std::vector<int> ways = ways_of(hop, ranks_, radix_);
    const auto sizes = sizes_.first(ways.size());
    sizes_ = sizes_.subspan(ways.size());
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size;
    const Slice parcel = builder_.scratch(total);
    builder_.receive(wrapped(rank_ - hop.distance, ranks_), parcel);
    std::size_t offset = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Slice block = parcel.part(offset, sizes[i]);
      offset += sizes[i];
      const bool is_there = ways[i] / hop.weight < radix_;  // No digit is left.
      if (is_there) {
        deliver(block, wrapped(rank_ - ways[i], ranks_));
      } else {
        here_[as_size(ways[i])] = block;
      }
    }
  }

  void deliver(const Slice& block, int source) {
    const Slice place = places_.of(source);
    if (block.count != place.count) {
      throw error("alltoallv",
                  fmt::format("rank {} sends {} elements to rank {}, which expects {}", source,
                              block.count, rank_, place.count),
                  "let each rank receive as many from another as that one sends to it");
    }
    builder_.copy(block, place);
  }

  ScheduleBuilder& builder_;
  int ranks_;
  int rank_;
  int radix_;
  std::span<const std::size_t> sizes_;  ///< Of the hops to come.
  Blocks places_;
  std::vector<Slice> here_;  ///< By way.
  Slice outgoing_;
};

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given,
           std::span<const std::size_t> sizes) {
  Courier(builder, shape, radix_of(given), sizes).carry();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int p = static_cast<int>(shapes.size());
  Cost total;
  for (const BruckPhase& phase : bruck_phases(p, radix_of(given))) {
    for (const BruckHop& hop : phase) {
      ++total.rounds;
      for (const int way : ways_of(hop, p, radix_of(given))) {
        for (const Shape& shape : shapes) {
          total.elements += shape.send_counts[as_size((shape.rank + way) % p)];
        }
      }
    }
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor two_phase_bruck = {
    .collective = Collective::alltoallv,
    .name = "two_phase_bruck",
    .summary =
        "The sizes of the blocks, then the blocks themselves travel by the digits of their way "
        "(Fan, Gilray, Pascucci, Huang, Micinski, Kumar 2022; there hop by hop).",
    .parameters = {&ways_radix, 1},
    .way = AfterSizeExchange{write_size_exchange, sizes_count, write, cost},
    .cost_text =
        "rounds: ceil(log2 p) for radix 2, after as many for the sizes, which are not counted; "
        "elements: each block as often as its way has nonzero digits",
};

}  // namespace tasuki::coll::alltoallv
