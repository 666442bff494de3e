#include "coll/levels/composition.hpp"

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/policy.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {
namespace {

/// Where the buffers of a part lie in those of the whole.
class Embedding {
 public:
  Embedding(const Composition::Part& part, Slice scratch)
      : input_(part.input), output_(part.output), scratch_(scratch) {}

  Slice of(const Slice& slice) const {
    const Slice& room = room_of(slice.buffer);
    return {room.buffer, room.offset + slice.offset, slice.count};
  }

 private:
  const Slice& room_of(Buffer buffer) const {
    if (buffer == Buffer::input) return input_;
    return buffer == Buffer::output ? output_ : scratch_;
  }

  Slice input_, output_, scratch_;
};

Choice choice_for(const Composition::Part& part) {
  return default_policy().select(part.collective, part.shape);
}

Schedule schedule_of(const Composition::Part& part) {
  const Choice choice = choice_for(part);
  return make_schedule(*choice.algorithm, part.shape, choice.parameters);
}

void embed_round(ScheduleBuilder& builder, const RoundView& round, const std::vector<int>& ranks,
                 const Embedding& embedding) {
  for (const Transfer& receive : round.receives) {
    const int peer = ranks[as_size(receive.peer)];
    if (receive.slice.count == 0) {
      builder.await_signal(peer);
    } else {
      builder.receive(peer, embedding.of(receive.slice));
    }
  }
  for (const Transfer& send : round.sends) {
    const int peer = ranks[as_size(send.peer)];
    if (send.slice.count == 0) {
      builder.signal(peer);
    } else {
      builder.send(peer, embedding.of(send.slice));
    }
  }
  for (const LocalStep& step : round.locals) {
    builder.local(step.kind, embedding.of({step.from, step.from_offset, step.count}),
                  embedding.of({step.to, step.to_offset, step.count}));
  }
  builder.next_round();
}

Collective of_equal_blocks(Collective collective) {
  switch (collective) {
    case Collective::gatherv:
      return Collective::gather;
    case Collective::scatterv:
      return Collective::scatter;
    case Collective::allgatherv:
      return Collective::allgather;
    case Collective::reduce_scatter:
      return Collective::reduce_scatter_block;
    default:
      return collective;
  }
}

/// Blocks of one size have faster algorithms than those of different sizes.
PartCall with_equal_blocks(PartCall call) {
  const auto is_other = [&](std::size_t count) { return count != call.counts.front(); };
  if (call.counts.empty() || std::ranges::any_of(call.counts, is_other)) return call;
  call.collective = of_equal_blocks(call.collective);
  call.count = call.counts.front();
  call.counts.clear();
  return call;
}

Shape shape_of(const Shape& whole, const Group& group, const PartCall& call) {
  Shape shape;
  shape.ranks = group.size();
  shape.rank = group.place;
  shape.root = call.root;
  shape.element_bytes = whole.element_bytes;
  shape.count = call.count;
  shape.commutative = whole.commutative;
  shape.in_place = call.in_place;
  shape.arithmetic = whole.arithmetic;
  shape.placement = group.placement;
  if (!call.counts.empty()) {
    const std::size_t own = group.place < 0 ? 0 : call.counts[as_size(group.place)];
    shape.count = own;
    shape.send_counts = shape.receive_counts = call.counts;
  }
  return shape;
}

}  // namespace

Slice Composition::scratch(std::size_t count) {
  const Slice room{Buffer::scratch, scratch_count_, count};
  scratch_count_ += count;
  return room;
}

void Composition::part(const Group& group, PartCall call, Slice input, Slice output) {
  call = with_equal_blocks(std::move(call));
  steps_.emplace_back(Part{group, shape_of(whole_, group, call), call.collective, input, output});
}

void Composition::local(LocalKind kind, Slice from, Slice to) {
  steps_.emplace_back(Local{kind, from, to});
}

std::vector<Composition::Part> Composition::parts() const {
  std::vector<Part> found;
  for (const auto& step : steps_) {
    if (const auto* part = std::get_if<Part>(&step)) found.push_back(*part);
  }
  return found;
}

void Composition::write(ScheduleBuilder& builder) const {
  const Slice own = builder.scratch(scratch_count_);
  TASUKI_ASSERT(own.offset == 0);
  for (const auto& step : steps_) {
    if (const auto* local = std::get_if<Local>(&step)) {
      builder.local(local->kind, local->from, local->to);
      continue;
    }
    const Part& part = std::get<Part>(step);
    if (part.group.place < 0) continue;
    builder.next_round();
    const Schedule schedule = schedule_of(part);
    const Embedding embedding(part, builder.scratch(schedule.scratch_count));
    for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
      embed_round(builder, schedule.round(index), part.group.ranks, embedding);
    }
  }
}

void write_composition(Compose compose, ScheduleBuilder& builder, const Shape& shape) {
  Composition whole(shape);
  compose(whole, shape);
  whole.write(builder);
}

Cost cost_of_composition(Compose compose, std::span<const Shape> shapes) {
  using Key = std::pair<std::size_t, std::vector<int>>;  // The number of a part, and its ranks.
  std::map<Key, std::vector<Composition::Part>> groups;
  for (const Shape& shape : shapes) {
    Composition whole(shape);
    compose(whole, shape);
    std::size_t number = 0;
    for (Composition::Part& part : whole.parts()) {
      if (part.group.place >= 0) groups[{number, part.group.ranks}].push_back(std::move(part));
      ++number;
    }
  }
  Cost total{.rounds = 0, .elements = 0, .ports = any_ports, .is_bound = true};
  std::map<std::size_t, std::size_t> rounds;
  for (auto& [key, parts] : groups) {
    std::ranges::sort(parts, {}, [](const Composition::Part& part) { return part.group.place; });
    std::vector<Shape> members;
    for (const Composition::Part& part : parts) members.push_back(part.shape);
    const Choice choice = choice_for(parts.front());
    const Cost cost = std::get<BySchedule>(choice.algorithm->way).cost(members, choice.parameters);
    total.elements += cost.elements;
    rounds[key.first] = std::max(rounds[key.first], cost.rounds);
  }
  for (const auto& [number, most] : rounds) total.rounds += most;
  return total;
}

}  // namespace tasuki::coll
