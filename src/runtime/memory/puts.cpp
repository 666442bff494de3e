#include "runtime/memory/puts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "runtime/memory/bulk.hpp"
#include "runtime/memory/heap.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/world/hang_report.hpp"

namespace tasuki::runtime {
namespace {

constexpr int wrong_write_exit_code = 71;
/// Puts are cut at the end of a slot if at least so much of them still fits there. Streams of 1 KiB
/// over Open MPI carry 5.4 GB/s with 16 and with 256, 5.1 with 2048 (`tasuki bench micro --mpi ompi
/// --only mpi_write_1KB`).
constexpr std::size_t piece_least_bytes = 256;
/// Places remembered for each target; a pre-posted receive is asked for at the so-many-th put to
/// one. Neither number is critical: pre-posted receives make NPB CG class W on 8 simulated nodes
/// take 1.438 instead of 1.496 s with any count of puts from 1 to 10 and 1 to 32 places, and IS, to
/// which none are given, takes the same within 0.2 % (`tasuki reproduce mpcxx --class W --only fig8
/// --only fig9`). So places that are written only once or twice are to cost no message, and few are
/// searched.
constexpr std::size_t repeats_kept = 8;
constexpr std::uint32_t puts_before_posted = 3;

constexpr int no_posted_receive = transport::Transport::no_posted_receive;

/// Nobody waits for a write to be done, so a wrong one ends the job.
void check_put(World& world, int source, const PutPlace& place) {
  try {
    check_live(world, {world.rank(), place.address}, place.bytes, "remote write");
  } catch (const error& e) {
    base::report(fmt::format("{} (It came from rank {}; the job ends.)", e.what(), source));
    world.end_job(wrong_write_exit_code);
  }
  World::touching(source, place.address, place.bytes, "remote write");
}

}  // namespace

/// Receiving side of a bulk put.
struct Puts::Arrival : transport::Completion {
  World* world;
  int source;
  PutHeader header;
  std::uint64_t number;  ///< Of its signal.
};

/// A place here that one peer fills without announcements.
struct Puts::PostedReceive : transport::Completion {
  World* world;
  int source;
  int number;
  PutPlace place;
};

/// A fiber's wait until the transport needs its data no more.
struct Puts::LocalWait : transport::Completion {
  World& world;
  fiber::Fiber* waiter = nullptr;
  bool is_done = false;

  explicit LocalWait(World& own) : world(own) {
    done = [](transport::Completion* self) {
      auto& wait = *static_cast<LocalWait*>(self);
      wait.is_done = true;
      if (wait.waiter != nullptr) wait.world.scheduler().make_ready(wait.waiter);
    };
  }
  /// Meanwhile this rank is not idle, however long it takes.
  void wait(int rank) {
    if (is_done) return;
    world.hang_report().transfer_begins();
    waiter = world.scheduler().current();
    while (!is_done) world.suspend({fiber::WaitKind::transfer, rank});
    world.hang_report().transfer_ends();
  }
};

Puts::Puts(World& world)
    : world_(world),
      bulk_least_bytes_(world.transport().capabilities().bulk_least_bytes),
      posted_least_bytes_(world.transport().capabilities().posted_least_bytes),
      posted_most_bytes_(world.transport().capabilities().posted_most_bytes),
      peers_(static_cast<std::size_t>(world.size())) {
  if (posted_least_bytes_ == 0) posted_least_bytes_ = std::numeric_limits<std::size_t>::max();
  if (bulk_least_bytes_ != 0) return;
  bulk_least_bytes_ = world.largest_record_bytes() - sizeof(PutHeader) - 2 * record_word_bytes + 1;
}

Puts::~Puts() = default;

// ---- sending -----------------------------------------------------------------------------------

void Puts::send(int rank, const PutHeader& header, std::span<const std::byte> data) {
  const bool may_land = header.acknowledge == 0 && data.size() >= posted_least_bytes_ &&
                        data.size() <= posted_most_bytes_;
  const bool has_posted_receive = may_land && find_posted_receive(rank, header.place);
  if (!has_posted_receive && data.size() < bulk_least_bytes_) {
    leave_posted_receive(rank, header.place.signal);
    return send_in_messages(rank, header, data);
  }
  begin_bulk(rank);
  note_signal(rank, header.place.signal);
  if (header.acknowledge != 0) return send_announced(rank, header, data, nullptr);
  LocalWait sent(world_);
  const int posted_receive =
      has_posted_receive ? use_posted_receive(rank, header.place) : no_posted_receive;
  if (posted_receive != no_posted_receive) {
    world_.send_to_posted(rank, posted_receive, data, &sent);
  } else {
    leave_posted_receive(rank, header.place.signal);
    send_announced(rank, header, data, &sent);
  }
  sent.wait(rank);
}

/// What was sent last carries a signal.
void Puts::note_signal(int rank, const Signal& signal) {
  if (signal.address == 0) return;
  any_signals_sent_ = true;
  peer(rank).signals_sent_until = peer(rank).sent_count;
}

/// Counts a bulk put, once no fence waits for those before it; it is under way from here on.
void Puts::begin_bulk(int rank) {
  Peer& to = peer(rank);
  while (to.open_fences_count != 0) {
    world_.wait_until([&] { return to.open_fences_count == 0; }, {fiber::WaitKind::transfer, rank});
  }
  ++to.sent_count;
  ++to.bulk_sent_count;
  ++world_.transfers().begun;
}

/// Has the place a pre-posted receive? Asks for one when the place has been written often enough.
bool Puts::find_posted_receive(int rank, const PutPlace& place) {
  Peer& to = peer(rank);
  Repeat* const repeat = note_repeat(to, place);
  if (repeat == nullptr || is_mixed(to, place)) return false;
  if (!repeat->is_asked_for && repeat->count == puts_before_posted) {
    repeat->is_asked_for = true;
    ++world_.transfers().begun;
    send_values(world_, rank, &handle_wish, place);
    return false;  // and `repeat` may be void
  }
  return repeat->posted_receive != no_posted_receive;
}

/// Is the counter of the place raised from other places as well?
bool Puts::is_mixed(const Peer& to, const PutPlace& place) {
  const std::uintptr_t signal = place.signal.address;
  if (signal == 0) return false;
  const auto is_another = [&](const Repeat& repeat) {
    return repeat.is_used() && repeat.place.signal.address == signal && repeat.place != place;
  };
  return std::find(to.mixed_signals.begin(), to.mixed_signals.end(), signal) !=
             to.mixed_signals.end() ||
         std::any_of(to.repeats.begin(), to.repeats.end(), is_another);
}

/// Counts a put to the place's pre-posted receive. Returns: the pre-posted receive, or none if
/// others have left it.
int Puts::use_posted_receive(int rank, const PutPlace& place) {
  Peer& to = peer(rank);
  const auto repeat = std::find_if(to.repeats.begin(), to.repeats.end(),
                                   [&](const Repeat& one) { return one.place == place; });
  if (repeat == to.repeats.end() || repeat->posted_receive == no_posted_receive ||
      is_mixed(to, place)) {
    return no_posted_receive;
  }
  const int posted_receive = repeat->posted_receive;
  if (++repeat->arrived_count == 1 && place.signal.address != 0) {
    ++world_.transfers().begun;
    send_values(world_, rank, &handle_open, posted_receive, place.signal);
  }
  return posted_receive;
}

/// Before a put that raises the counter goes another way than to the pre-posted receive of one
/// before it.
void Puts::leave_posted_receive(int rank, const Signal& signal) {
  if (signal.address == 0) return;
  Peer& to = peer(rank);
  const auto left = std::find_if(to.repeats.begin(), to.repeats.end(), [&](const Repeat& repeat) {
    return repeat.is_used() && repeat.place.signal.address == signal.address;
  });
  if (left == to.repeats.end()) return;
  to.mixed_signals.push_back(signal.address);
  left->is_asked_for = false;
  const int posted_receive = std::exchange(left->posted_receive, no_posted_receive);
  const Repeat was = *left;  // it may be void when there is room to send
  ++world_.transfers().begun;
  send_values(world_, rank, &handle_close, posted_receive, was.place.signal, was.arrived_count);
}

/// Cut so that each message is filled; the last piece carries the signal and the acknowledgement.
void Puts::send_in_messages(int rank, const PutHeader& header, std::span<const std::byte> data) {
  PutHeader piece = header;
  for (std::span<const std::byte> left = data;; left = left.subspan(piece.place.bytes)) {
    const std::size_t room_bytes = world_.payload_room_bytes(
        rank, sizeof(PutHeader) + std::min(left.size(), piece_least_bytes));
    piece.place.bytes = std::min(left.size(), room_bytes - sizeof(PutHeader));
    const bool is_last = piece.place.bytes == left.size();
    piece.place.signal = is_last ? header.place.signal : Signal{};
    piece.acknowledge = is_last ? header.acknowledge : 0;
    ++world_.transfers().begun;
    world_.send_record(rank, &handle_put, sizeof piece + piece.place.bytes,
                       [&](Writer& to) noexcept {
                         to.write(piece);
                         to.write_bytes(left.data(), piece.place.bytes);
                       });
    // Only now: a question of a fence that waited for room meanwhile went ahead of this piece.
    ++peer(rank).sent_count;
    if (is_last) return note_signal(rank, header.place.signal);
    piece.place.address += piece.place.bytes;
  }
}

void Puts::send_announced(int rank, const PutHeader& header, std::span<const std::byte> data,
                          transport::Completion* completion) {
  auto fill = [&](Writer& to) noexcept { to.write(header); };
  world_.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), data, completion);
}

/// Counts the put. Returns: what is known of its place, nullptr if there is no room to remember it.
Puts::Repeat* Puts::note_repeat(Peer& to, const PutPlace& place) {
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

// ---- receiving ---------------------------------------------------------------------------------

void Puts::handle_put(World& world, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  check_put(world, source, header.place);
  reader.read_bytes(reinterpret_cast<void*>(header.place.address), header.place.bytes);
  world.puts().peer(source).arriving_signals.arrive(header.place.signal);
  if (header.acknowledge != 0) {
    send_answer(world, source, &handle_done, header.acknowledge);
  } else {
    ++world.transfers().done;
  }
}

void Puts::handle_done(World& world, int, Reader& reader) {
  auto* state = reinterpret_cast<FutureState<void>*>(reader.read<std::uint64_t>());
  state->set_value();
  state->release();
  ++world.transfers().done;
}

void Puts::handle_bulk(World& world, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  auto* arrival = new Arrival;
  arrival->world = &world;
  arrival->source = source;
  arrival->header = header;
  arrival->number = world.puts().peer(source).arriving_signals.announce(header.place.signal);
  arrival->done = [](transport::Completion* self) {
    const std::unique_ptr<Arrival> owned(static_cast<Arrival*>(self));
    const std::uint64_t acknowledge = owned->header.acknowledge;
    Peer& writer = owned->world->puts().peer(owned->source);
    ++writer.bulk_arrived_count;
    writer.arriving_signals.finish(owned->header.place.signal, owned->number);
    if (acknowledge == 0) {
      ++owned->world->transfers().done;
      return;
    }
    // As a delivery, so that the acknowledgement may wait for room.
    auto payload = std::make_unique_for_overwrite<std::byte[]>(sizeof acknowledge);
    std::memcpy(payload.get(), &acknowledge, sizeof acknowledge);
    owned->world->deliver_later(
        owned->source,
        [](World& own, int from, Reader& state) {
          send_answer(own, from, &handle_done, state.read<std::uint64_t>());
        },
        std::move(payload), sizeof acknowledge);
  };
  check_put(world, source, header.place);
  accept_bulk(world, world.bulk_arrival().token, reinterpret_cast<std::byte*>(header.place.address),
              arrival);
}

/// A peer writes the same place again and again.
void Puts::handle_wish(World& world, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  send_answer(world, source, &handle_posted_receive, place,
              world.puts().post_receive(source, place));
}

/// Returns: the pre-posted receive's number, or no_posted_receive. Never outside the heap: what
/// else there is may be unmapped some day, with the pre-posted receive still there.
int Puts::post_receive(int source, const PutPlace& place) {
#ifdef TASUKI_DEBUG
  // What is put to a pre-posted receive could be checked only when it has overwritten what was
  // there.
  constexpr bool may_open = false;
#else
  constexpr bool may_open = true;
#endif
  const auto* first = reinterpret_cast<const std::byte*>(place.address);
  if (!may_open || !world_.heap().contains(first)) return no_posted_receive;
  auto posted_receive = std::make_unique<PostedReceive>();
  posted_receive->world = &world_;
  posted_receive->source = source;
  posted_receive->place = place;
  posted_receive->done = [](transport::Completion* self) {
    const auto& it = *static_cast<PostedReceive*>(self);
    Peer& from = it.world->puts().peer(it.source);
    ++from.bulk_arrived_count;
    ++it.world->transfers().done;
    from.arriving_signals.arrive_by(it.number, it.place.signal);
  };
  posted_receive->number = world_.transport().post_receive(
      source, {reinterpret_cast<std::byte*>(place.address), place.bytes}, posted_receive.get());
  const int number = posted_receive->number;
  if (number != no_posted_receive) posted_receives_.push_back(std::move(posted_receive));
  return number;
}

/// The target has opened a pre-posted receive for this rank, or has not: then the place may be
/// forgotten.
void Puts::handle_posted_receive(World& world, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  const auto number = reader.read<int>();
  for (Repeat& repeat : world.puts().peer(source).repeats) {
    if (repeat.place != place) continue;
    repeat.posted_receive = number;
    repeat.is_asked_for = number != no_posted_receive;
  }
  ++world.transfers().done;
}

/// From here on puts on the counter go to the pre-posted receive.
void Puts::handle_open(World& world, int source, Reader& reader) {
  const auto posted_receive = reader.read<int>();
  world.puts().peer(source).arriving_signals.open(posted_receive, reader.read<Signal>());
  ++world.transfers().done;
}

/// So many went there; those that follow go another way.
void Puts::handle_close(World& world, int source, Reader& reader) {
  const auto posted_receive = reader.read<int>();
  const auto signal = reader.read<Signal>();
  world.puts().peer(source).arriving_signals.close(posted_receive, signal,
                                                   reader.read<std::uint64_t>());
  ++world.transfers().done;
}

// ---- fence -------------------------------------------------------------------------------------

/// Messages keep their order, so those before the question are here; bulk puts are counted.
void Puts::handle_fence(World& world, int source, Reader& reader) {
  const auto state = reader.read<std::uint64_t>();
  const auto wanted_count = reader.read<std::uint64_t>();
  const std::uint64_t& arrived_count = world.puts().peer(source).bulk_arrived_count;
  world.wait_until([&] { return arrived_count >= wanted_count; },
                   {fiber::WaitKind::transfer, source});
  send_answer(world, source, &handle_done, state);
}

void Puts::fence() {
  struct Question {
    int rank;
    std::uint64_t sent_count;
    Future<void> answer;
  };
  std::vector<Question> questions;
  for (int rank = 0; rank < world_.size(); ++rank) {
    Peer& to = peer(rank);
    if (to.confirmed_count == to.sent_count) continue;
    auto* state = new FutureState<void>;
    questions.push_back({rank, to.sent_count, Future<void>(state)});
    state->retain();
    state->set_reason({fiber::WaitKind::transfer, rank});
    ++to.open_fences_count;
    ++world_.transfers().begun;
    send_values(world_, rank, &handle_fence, reinterpret_cast<std::uint64_t>(state),
                to.bulk_sent_count);
  }
  for (Question& question : questions) {
    question.answer.get();
    Peer& to = peer(question.rank);
    --to.open_fences_count;
    to.confirmed_count = std::max(to.confirmed_count, question.sent_count);
  }
}

}  // namespace tasuki::runtime
