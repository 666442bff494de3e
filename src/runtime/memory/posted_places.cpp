#include "runtime/memory/posted_places.hpp"

#include <algorithm>
#include <limits>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <utility>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/memory/shared_heap.hpp"

namespace tasuki::runtime {
namespace {

/// Places remembered for each target; a receive is asked for at the so-many-th put to one. Neither
/// number is critical: on 8 nodes with Ethernet, pre-posted receives make NPB CG class W take 1.438
/// instead of 1.496 s with any count of puts from 1 to 10 and 1 to 32 places, and IS, to which none
/// are given, takes the same within 0.2 % (`tasuki reproduce mpcxx --class W --only fig8 --only
/// fig9`). So places that are written only once or twice are to cost no message, and few are
/// searched.
constexpr std::size_t repeats_kept = 8;
constexpr std::uint32_t puts_before_posted = 3;

}  // namespace

/// A place here that one peer fills without announcements.
struct PostedPlaces::PostedReceive : transport::Completion {
  PostedPlaces* owner;
  int source;
  int number;
  PutPlace place;
};

PostedPlaces::PostedPlaces(Rank& self, const SharedHeap& heap, PutFence& fence,
                           base::PeerTable<SignalOrder>& arriving_signals)
    : self_(self),
      heap_(heap),
      fence_(fence),
      signals_(arriving_signals),
      least_bytes_(self.transport.capabilities().posted_least_bytes),
      most_bytes_(self.transport.capabilities().posted_most_bytes),
      targets_(self.size) {
  if (least_bytes_ == 0) least_bytes_ = std::numeric_limits<std::size_t>::max();
}

PostedPlaces::~PostedPlaces() = default;

// ---- on the writer -----------------------------------------------------------------------------

bool PostedPlaces::find(int rank, const PutPlace& place) {
  Target& to = target(rank);
  Repeat* const repeat = note_repeat(to, place);
  if (repeat == nullptr || to.is_mixed(place)) return false;
  if (!repeat->is_asked_for && repeat->count == puts_before_posted) {
    repeat->is_asked_for = true;
    tell(rank, &handle_wish, place);
    return false;  // and `repeat` may be void
  }
  return repeat->receive != no_receive;
}

/// Counts the put. Returns: what is known of its place, nullptr if there is no room to remember it.
PostedPlaces::Repeat* PostedPlaces::note_repeat(Target& to, const PutPlace& place) {
  ++puts_count_;
  Repeat* oldest = nullptr;
  for (Repeat& repeat : to.repeats) {
    if (repeat.place == place) {
      ++repeat.count;
      repeat.used_at = puts_count_;
      return &repeat;
    }
    if (repeat.is_asked_for) continue;
    if (oldest == nullptr || repeat.used_at < oldest->used_at) oldest = &repeat;
  }
  if (to.repeats.size() < repeats_kept) oldest = &to.repeats.emplace_back();
  if (oldest != nullptr) *oldest = {place, puts_count_, 1};
  return oldest;
}

/// Is the counter of the place raised from other places as well?
bool PostedPlaces::Target::is_mixed(const PutPlace& place) const {
  const std::uintptr_t signal = place.signal.address;
  if (signal == 0) return false;
  const auto is_another = [&](const Repeat& repeat) {
    return repeat.is_used() && repeat.place.signal.address == signal && repeat.place != place;
  };
  return std::find(mixed_signals.begin(), mixed_signals.end(), signal) != mixed_signals.end() ||
         std::any_of(repeats.begin(), repeats.end(), is_another);
}

int PostedPlaces::use(int rank, const PutPlace& place) {
  Target& to = target(rank);
  const auto repeat = std::find_if(to.repeats.begin(), to.repeats.end(),
                                   [&](const Repeat& one) { return one.place == place; });
  if (repeat == to.repeats.end() || repeat->receive == no_receive || to.is_mixed(place)) {
    return no_receive;
  }
  const int receive = repeat->receive;
  if (++repeat->arrived_count == 1 && place.signal.address != 0) {
    tell(rank, &handle_open, receive, place.signal);
  }
  return receive;
}

void PostedPlaces::leave_used(int rank, const Signal& signal) {
  Target& to = target(rank);
  const auto left = std::find_if(to.repeats.begin(), to.repeats.end(), [&](const Repeat& repeat) {
    return repeat.is_used() && repeat.place.signal.address == signal.address;
  });
  if (left == to.repeats.end()) return;
  to.mixed_signals.push_back(signal.address);
  left->is_asked_for = false;
  const int receive = std::exchange(left->receive, no_receive);
  const Repeat was = *left;  // it may be void when there is room to send
  tell(rank, &handle_close, receive, was.place.signal, was.arrived_count);
}

/// Both ends count what goes to a receive: without the message they would disagree.
template <class... Ts>
void PostedPlaces::tell(int rank, Handler handler, const Ts&... values) {
  ++self_.traffic.with(rank).begun;
  try {
    send_values(self_.sender, rank, handler, values...);
  } catch (...) {
    end_job_by_exception(self_.transport);
  }
}

/// The target has posted a receive for this rank, or has not: then the place may be forgotten.
void PostedPlaces::handle_receive(Rank& self, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  const auto number = reader.read<int>();
  for (Repeat& repeat : self.puts->posted_places().target(source).repeats) {
    if (repeat.place != place) continue;
    repeat.receive = number;
    repeat.is_asked_for = number != no_receive;
  }
  ++self.traffic.with(source).done;
}

// ---- on the target -----------------------------------------------------------------------------

/// A peer writes the same place again and again.
void PostedPlaces::handle_wish(Rank& self, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  send_answer(self.sender, source, &handle_receive, place,
              self.puts->posted_places().post(source, place));
}

/// Returns: the receive's number, or no_receive. Never outside the heap: what else there is may be
/// unmapped some day, with the receive still there.
int PostedPlaces::post(int source, const PutPlace& place) {
#ifdef TASUKI_DEBUG
  // What is put to a pre-posted receive could be checked only when it has overwritten what was
  // there.
  constexpr bool may_post = false;
#else
  constexpr bool may_post = true;
#endif
  auto* const first = reinterpret_cast<std::byte*>(place.address);
  if (!may_post || !heap_.contains(first)) return no_receive;
  auto receive = std::make_unique<PostedReceive>();
  receive->owner = this;
  receive->source = source;
  receive->place = place;
  receive->done = [](transport::Completion* arrived) {
    const auto& it = *static_cast<PostedReceive*>(arrived);
    it.owner->fence_.count_bulk_arrival(it.source);
    Rank& self = it.owner->self_;
    ++self.traffic.with(it.source).done;
    if (Recorder* const recorder = self.dispatcher->recorder()) [[unlikely]]
      recorder->received(it.source, it.place.bytes, "a write into a posted receive");
    it.owner->signals_of(it.source).arrive_by(it.number, it.place.signal);
  };
  receive->number = self_.transport.lane(source).post_receive({first, place.bytes}, receive.get());
  const int number = receive->number;
  if (number != no_receive) receives_.push_back(std::move(receive));
  return number;
}

/// From here on puts on the counter go to the receive.
void PostedPlaces::handle_open(Rank& self, int source, Reader& reader) {
  const auto receive = reader.read<int>();
  self.puts->posted_places().signals_of(source).open(receive, reader.read<Signal>());
  ++self.traffic.with(source).done;
}

/// So many went there; those that follow go another way.
void PostedPlaces::handle_close(Rank& self, int source, Reader& reader) {
  const auto receive = reader.read<int>();
  const auto signal = reader.read<Signal>();
  self.puts->posted_places().signals_of(source).close(receive, signal,
                                                      reader.read<std::uint64_t>());
  ++self.traffic.with(source).done;
}

}  // namespace tasuki::runtime
