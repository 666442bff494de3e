#include <vector>

#include "coll/patterns/bruck_hops.hpp"
#include "coll/phases/blocks.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::alltoall {
namespace {

/// The places of the blocks that take the hop. A block with `way` ranks to go in all lies at place
/// rank - way on every rank it visits, which is its final place when it arrives.
std::vector<Slice> places_of(const Shape& shape, const BruckHop& hop, int radix) {
  const Blocks places = Blocks::equal(Buffer::output, shape.count);
  std::vector<Slice> slices;
  for_each_run(hop, shape.ranks, radix, [&](int first, int last) {
    const auto run = places.around(shape.rank - last + 1, last - first, shape.ranks);
    slices.insert(slices.end(), run.begin(), run.end());
  });
  return slices;
}

Slice copied(ScheduleBuilder& builder, const std::vector<Slice>& pieces, Slice room, bool pack) {
  std::size_t offset = 0;
  for (const Slice& piece : pieces) {
    const Slice place = room.part(offset, piece.count);
    if (pack) {
      builder.copy(piece, place);
    } else {
      builder.copy(place, piece);
    }
    offset += piece.count;
  }
  return room.part(0, offset);
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int p = shape.ranks;
  const int radix = radix_of(given);
  for (int way = 0; way < p; ++way) {
    const std::size_t from = as_size((shape.rank + way) % p);
    const std::size_t to = as_size(wrapped(shape.rank - way, p));
    builder.copy({Buffer::input, from * shape.count, shape.count},
                 {Buffer::output, to * shape.count, shape.count});
  }
  // Per hop of a phase one area to send from and one to receive into, used again in each phase.
  const std::size_t area = as_size(p) * shape.count;
  const Slice outgoing = builder.scratch(area);
  const Slice incoming = builder.scratch(area);
  for (const BruckPhase& phase : bruck_phases(p, radix)) {
    std::vector<Slice> parcels;
    std::size_t used = 0;
    for (const BruckHop& hop : phase) {
      const auto places = places_of(shape, hop, radix);
      parcels.push_back(copied(builder, places, outgoing.part(used, total_count(places)), true));
      used += total_count(places);
    }
    builder.next_round();
    used = 0;
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const auto places = places_of(shape, phase[i], radix);
      const Slice room = incoming.part(used, total_count(places));
      used += total_count(places);
      builder.send((shape.rank + phase[i].distance) % p, parcels[i]);
      builder.receive(wrapped(shape.rank - phase[i].distance, p),
                      copied(builder, places, room, false));
    }
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int p = shapes.front().ranks;
  const int radix = radix_of(given);
  Cost total;
  std::size_t blocks = 0;
  for (const BruckPhase& phase : bruck_phases(p, radix)) {
    for (const BruckHop& hop : phase) {
      ++total.rounds;
      for_each_run(hop, p, radix, [&](int first, int last) { blocks += as_size(last - first); });
    }
  }
  total.elements = as_size(p) * blocks * shapes.front().count;
  return total;
}

}  // namespace

extern const AlgorithmDescriptor modified_bruck = {
    .collective = Collective::alltoall,
    .name = "modified_bruck",
    .summary =
        "Blocks travel by the digits of their way (Bruck et al. 1997), laid out so that they end "
        "in place (Traff, Rougier and Hunold 2014).",
    .parameters = {&ways_radix, 1},
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: ceil(log2 p) for radix 2; elements: n p times the nonzero digits of 0..p-1, n "
        "(p^2 / 2) log2 p for powers of two",
};

}  // namespace tasuki::coll::alltoall
