#include "runtime/memory/puts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/memory/shared_heap.hpp"
#include "runtime/waiting/counted.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {
namespace {

/// Puts are cut at the end of a slot if at least so much of them still fits there. Streams of 1 KiB
/// over Open MPI carry 5.4 GB/s with 16 and with 256, 5.1 with 2048 (`tasuki bench micro --mpi ompi
/// --only mpi_write_1KB`).
constexpr std::size_t piece_least_bytes = 256;
/// Places remembered for each target; a pre-posted receive is asked for at the so-many-th put to
/// one. Neither number is critical: on 8 nodes with Ethernet, pre-posted receives make NPB CG class
/// W take 1.438 instead of 1.496 s with any count of puts from 1 to 10 and 1 to 32 places, and IS,
/// to which none are given, takes the same within 0.2 % (`tasuki reproduce mpcxx --class W --only
/// fig8 --only fig9`). So places that are written only once or twice are to cost no message, and
/// few are searched.
constexpr std::size_t repeats_kept = 8;
constexpr std::uint32_t puts_before_posted = 3;

constexpr int no_posted_receive = transport::Lane::no_posted_receive;

/// Nobody waits for a write to be done, so a wrong one ends the job.
void check_put(Rank& self, int source, const PutPlace& place) {
  try {
    check_live(self, {self.rank, place.address}, place.bytes, "remote write");
  } catch (const error& e) {
    base::report(fmt::format("{} (It came from rank {}; the job ends.)", e.what(), source));
    end_job(self.transport, base::exit_code::wrong_call);
  }
  touching(source, place.address, place.bytes, "remote write");
}

}  // namespace

/// Receiving side of a bulk put.
struct Puts::Arrival : transport::Completion {
  Rank* self;
  int source;
  PutHeader header;
  std::uint64_t number;  ///< Of its signal.
};

/// A place here that one peer fills without announcements.
struct Puts::PostedReceive : transport::Completion {
  Rank* self;
  int source;
  int number;
  PutPlace place;
};

Puts::Puts(Rank& self)
    : self_(self),
      bulk_least_bytes_(self.transport.capabilities().bulk_least_bytes),
      posted_least_bytes_(self.transport.capabilities().posted_least_bytes),
      posted_most_bytes_(self.transport.capabilities().posted_most_bytes),
      peers_(static_cast<std::size_t>(self.size)) {
  if (posted_least_bytes_ == 0) posted_least_bytes_ = std::numeric_limits<std::size_t>::max();
  self.puts = this;
  if (bulk_least_bytes_ != 0) return;
  bulk_least_bytes_ =
      self.sender.largest_record_bytes() - sizeof(PutHeader) - 2 * record_word_bytes + 1;
}

Puts::~Puts() = default;

// ---- sending -----------------------------------------------------------------------------------

void Puts::send(int rank, const PutHeader& header, std::span<const std::byte> data) {
  const bool may_be_posted = !header.acknowledge && data.size() >= posted_least_bytes_ &&
                             data.size() <= posted_most_bytes_;
  const bool has_posted_receive = may_be_posted && find_posted_receive(rank, header.place);
  if (!has_posted_receive && data.size() < bulk_least_bytes_) {
    leave_posted_receive(rank, header.place.signal);
    return send_in_messages(rank, header, data);
  }
  begin_bulk(rank);
  note_signal(rank, header.place.signal);
  AwaitedCompletion sent;
  try {
    hand_over(rank, header, data, has_posted_receive, header.acknowledge ? nullptr : &sent);
  } catch (const std::bad_alloc&) {
    // The target counts what comes to its pre-posted receive, and may know of this write already.
    if (has_posted_receive) end_job_by_exception(self_.transport);
    take_back_bulk(rank);
    throw;
  } catch (...) {
    end_job_by_exception(self_.transport);  // The transport may have sent a part.
  }
  if (header.acknowledge || sent.has_happened()) return;
  // Meanwhile this rank is not idle, however long it takes.
  ++self_.traffic.bulk_under_way_count;
  sent.wait({fiber::WaitKind::transfer, rank});
  --self_.traffic.bulk_under_way_count;
}

/// To the place's pre-posted receive if it still has one, else announced.
void Puts::hand_over(int rank, const PutHeader& header, std::span<const std::byte> data,
                     bool has_posted_receive, transport::Completion* sent) {
  const int posted_receive =
      has_posted_receive ? use_posted_receive(rank, header.place) : no_posted_receive;
  if (posted_receive != no_posted_receive) {
    return self_.sender.send_to_posted(rank, posted_receive, data, sent);
  }
  if (!header.acknowledge) leave_posted_receive(rank, header.place.signal);
  auto fill = [&](Writer& to) noexcept { to.write(header); };
  self_.sender.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), data, sent);
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
    self_.waits.wait_until([&] { return to.open_fences_count == 0; },
                           {fiber::WaitKind::transfer, rank});
  }
  ++to.sent_count;
  ++to.bulk_sent_count;
  ++self_.traffic.transfers.begun;
}

/// One that could not be sent (there is no memory, say) will never be done.
void Puts::take_back_bulk(int rank) {
  Peer& to = peer(rank);
  if (to.open_fences_count != 0) {
    base::die(error(fmt::format("writing to rank {}", rank),
                    "it could not be sent, and another fiber's fence waits for it",
                    "give the process more memory, or call fence when no write is being made")
                  .what());
  }
  --to.sent_count;
  to.signals_sent_until = std::min(to.signals_sent_until, to.sent_count);
  --to.bulk_sent_count;
  --self_.traffic.transfers.begun;
}

/// Has the place a pre-posted receive? Asks for one when the place has been written often enough.
bool Puts::find_posted_receive(int rank, const PutPlace& place) {
  Peer& to = peer(rank);
  Repeat* const repeat = note_repeat(to, place);
  if (repeat == nullptr || is_mixed(to, place)) return false;
  if (!repeat->is_asked_for && repeat->count == puts_before_posted) {
    repeat->is_asked_for = true;
    tell_of_posted(rank, &handle_wish, place);
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
    tell_of_posted(rank, &handle_open, posted_receive, place.signal);
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
  tell_of_posted(rank, &handle_close, posted_receive, was.place.signal, was.arrived_count);
}

/// Both ends count what goes to a pre-posted receive: without the message they would disagree.
template <class... Ts>
void Puts::tell_of_posted(int rank, Handler handler, const Ts&... values) {
  ++self_.traffic.transfers.begun;
  try {
    send_values(self_.sender, rank, handler, values...);
  } catch (...) {
    end_job_by_exception(self_.transport);
  }
}

/// Cut so that each message is filled; the last piece carries the signal and the acknowledgement.
void Puts::send_in_messages(int rank, const PutHeader& header, std::span<const std::byte> data) {
  PutHeader piece = header;
  for (std::span<const std::byte> left = data;; left = left.subspan(piece.place.bytes)) {
    const std::size_t room_bytes = self_.sender.payload_room_bytes(
        rank, sizeof(PutHeader) + std::min(left.size(), piece_least_bytes));
    piece.place.bytes = std::min(left.size(), room_bytes - sizeof(PutHeader));
    const bool is_last = piece.place.bytes == left.size();
    piece.place.signal = is_last ? header.place.signal : Signal{};
    piece.acknowledge = is_last ? header.acknowledge : ReplyToken{};
    self_.traffic.transfers.begin([&] {
      self_.sender.send_record(rank, &handle_put, sizeof piece + piece.place.bytes,
                               [&](Writer& to) noexcept {
                                 to.write(piece);
                                 to.write_bytes(left.data(), piece.place.bytes);
                               });
    });
    // Only now: a question of a fence that waited for room meanwhile went ahead of this piece.
    ++peer(rank).sent_count;
    if (is_last) return note_signal(rank, header.place.signal);
    piece.place.address += piece.place.bytes;
  }
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

void Puts::handle_put(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  check_put(self, source, header.place);
  reader.read_bytes(reinterpret_cast<void*>(header.place.address), header.place.bytes);
  self.puts->peer(source).arriving_signals.arrive(header.place.signal);
  if (header.acknowledge) {
    send_answer(self.sender, source, &handle_done, header.acknowledge);
  } else {
    ++self.traffic.transfers.done;
  }
}

void Puts::handle_done(Rank& self, int, Reader& reader) {
  ReplyTo<FutureState<void>>(reader.read<ReplyToken>())->set_value();
  ++self.traffic.transfers.done;
}

void Puts::handle_bulk(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  auto* arrival = new Arrival;
  arrival->self = &self;
  arrival->source = source;
  arrival->header = header;
  arrival->number = self.puts->peer(source).arriving_signals.announce(header.place.signal);
  arrival->done = [](transport::Completion* completion) {
    const std::unique_ptr<Arrival> owned(static_cast<Arrival*>(completion));
    const ReplyToken acknowledge = owned->header.acknowledge;
    Peer& writer = owned->self->puts->peer(owned->source);
    ++writer.bulk_arrived_count;
    writer.arriving_signals.finish(owned->header.place.signal, owned->number);
    if (!acknowledge) {
      ++owned->self->traffic.transfers.done;
      return;
    }
    // As a delivery, so that the acknowledgement may wait for room.
    auto payload = std::make_unique_for_overwrite<std::byte[]>(sizeof acknowledge);
    std::memcpy(payload.get(), &acknowledge, sizeof acknowledge);
    owned->self->dispatcher->deliver_later(
        owned->source,
        [](Rank& own, int from, Reader& token) {
          send_answer(own.sender, from, &handle_done, token.read<ReplyToken>());
        },
        std::move(payload), sizeof acknowledge);
  };
  check_put(self, source, header.place);
  accept_bulk(self, source, self.dispatcher->bulk_arrival().token,
              reinterpret_cast<std::byte*>(header.place.address), arrival);
}

/// A peer writes the same place again and again.
void Puts::handle_wish(Rank& self, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  send_answer(self.sender, source, &handle_posted_receive, place,
              self.puts->post_receive(source, place));
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
  if (!may_open || !self_.heap->contains(first)) return no_posted_receive;
  auto posted_receive = std::make_unique<PostedReceive>();
  posted_receive->self = &self_;
  posted_receive->source = source;
  posted_receive->place = place;
  posted_receive->done = [](transport::Completion* self) {
    const auto& it = *static_cast<PostedReceive*>(self);
    Peer& from = it.self->puts->peer(it.source);
    ++from.bulk_arrived_count;
    ++it.self->traffic.transfers.done;
    from.arriving_signals.arrive_by(it.number, it.place.signal);
  };
  posted_receive->number = self_.transport.lane(source).post_receive(
      {reinterpret_cast<std::byte*>(place.address), place.bytes}, posted_receive.get());
  const int number = posted_receive->number;
  if (number != no_posted_receive) posted_receives_.push_back(std::move(posted_receive));
  return number;
}

/// The target has opened a pre-posted receive for this rank, or has not: then the place may be
/// forgotten.
void Puts::handle_posted_receive(Rank& self, int source, Reader& reader) {
  const auto place = reader.read<PutPlace>();
  const auto number = reader.read<int>();
  for (Repeat& repeat : self.puts->peer(source).repeats) {
    if (repeat.place != place) continue;
    repeat.posted_receive = number;
    repeat.is_asked_for = number != no_posted_receive;
  }
  ++self.traffic.transfers.done;
}

/// From here on puts on the counter go to the pre-posted receive.
void Puts::handle_open(Rank& self, int source, Reader& reader) {
  const auto posted_receive = reader.read<int>();
  self.puts->peer(source).arriving_signals.open(posted_receive, reader.read<Signal>());
  ++self.traffic.transfers.done;
}

/// So many went there; those that follow go another way.
void Puts::handle_close(Rank& self, int source, Reader& reader) {
  const auto posted_receive = reader.read<int>();
  const auto signal = reader.read<Signal>();
  self.puts->peer(source).arriving_signals.close(posted_receive, signal,
                                                 reader.read<std::uint64_t>());
  ++self.traffic.transfers.done;
}

// ---- fence -------------------------------------------------------------------------------------

/// Messages keep their order, so those before the question are here; bulk puts are counted.
void Puts::handle_fence(Rank& self, int source, Reader& reader) {
  const auto token = reader.read<ReplyToken>();
  const auto wanted_count = reader.read<std::uint64_t>();
  const std::uint64_t& arrived_count = self.puts->peer(source).bulk_arrived_count;
  self.waits.wait_until([&] { return arrived_count >= wanted_count; },
                        {fiber::WaitKind::transfer, source});
  send_answer(self.sender, source, &handle_done, token);
}

void Puts::fence() {
  struct Question {
    explicit Question(Peer& asked) : to(asked), open(asked.open_fences_count) {}
    Peer& to;
    Counted open;
    std::uint64_t sent_count = to.sent_count;
    Future<void> answer;
  };
  std::vector<Question> questions;
  for (int rank = 0; rank < self_.size; ++rank) {
    Peer& to = peer(rank);
    if (to.confirmed_count == to.sent_count) continue;
    Question& question = questions.emplace_back(to);
    question.answer = ask<void>({fiber::WaitKind::transfer, rank}, [&](ReplyToken token) {
      self_.traffic.transfers.begin(
          [&] { send_values(self_.sender, rank, &handle_fence, token, to.bulk_sent_count); });
    });
  }
  for (; !questions.empty(); questions.pop_back()) {
    Question& question = questions.back();
    question.answer.get();
    question.to.confirmed_count = std::max(question.to.confirmed_count, question.sent_count);
  }
}

}  // namespace tasuki::runtime
