#include "runtime/memory/puts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {
namespace {

/// Puts are cut at the end of a slot if at least so much of them still fits there. Streams of 1 KiB
/// over Open MPI carry 5.4 GB/s with 16 and with 256, 5.1 with 2048 (`tasuki bench micro --mpi ompi
/// --only mpi_write_1KB`).
constexpr std::size_t piece_least_bytes = 256;

constexpr const char* write_operation = "remote write";

/// What a message with small blocks begins with. Then their indices, if they have any, and the
/// data.
struct ScatteredHeader {
  std::uintptr_t address = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t step_bytes = 0;
  std::uint64_t has_indices = 0;
  Signal signal{};
  ReplyToken acknowledge{};
};

}  // namespace

void begin_write(Rank& self, int source, std::uintptr_t first, std::size_t bytes,
                 const char* operation) {
  try {
    check_live(self, {self.rank, first}, bytes, operation);
  } catch (const error& e) {
    base::report(fmt::format("{} (It came from rank {}; the job ends.)", e.what(), source));
    end_job(self.transport, base::exit_code::wrong_call);
  }
  touching(source, first, bytes, operation);
}

void count_write_record(Rank& self, int rank) { self.puts->put_fence().count_record(rank); }

/// Receiving side of a bulk put.
struct Puts::Arrival : transport::Completion {
  Rank* self;
  int source;
  PutHeader header;
  std::uint64_t number;  ///< Of its signal.
};

Puts::Puts(Rank& self, const SharedHeap& heap)
    : self_(self),
      bulk_least_bytes_(self.transport.capabilities().bulk_least_bytes),
      fence_(self),
      signals_(self.size),
      posted_places_(self, heap, fence_, signals_) {
  self.puts = this;
  if (bulk_least_bytes_ != 0) return;
  bulk_least_bytes_ =
      self.sender.largest_record_bytes() - sizeof(PutHeader) - 2 * record_word_bytes + 1;
}

// ---- sending -----------------------------------------------------------------------------------

void Puts::send(int rank, const PutHeader& header, std::span<const std::byte> data) {
  const bool may_be_posted = !header.acknowledge && posted_places_.takes(data.size());
  const bool has_posted_receive = may_be_posted && posted_places_.find(rank, header.place);
  if (!has_posted_receive && data.size() < bulk_least_bytes_) {
    posted_places_.leave(rank, header.place.signal);
    return send_in_messages(rank, header, data);
  }
  fence_.begin_bulk(rank);
  fence_.note_signal(rank, header.place.signal);
  AwaitedCompletion sent;
  try {
    hand_over(rank, header, data, has_posted_receive, header.acknowledge ? nullptr : &sent);
  } catch (const std::bad_alloc&) {
    // The target counts what comes to its pre-posted receive, and may know of this write already.
    if (has_posted_receive) end_job_by_exception(self_.transport);
    fence_.take_back_bulk(rank);
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
      has_posted_receive ? posted_places_.use(rank, header.place) : PostedPlaces::no_receive;
  if (posted_receive != PostedPlaces::no_receive) {
    return self_.sender.send_to_posted(rank, posted_receive, data, sent);
  }
  if (!header.acknowledge) posted_places_.leave(rank, header.place.signal);
  auto fill = [&](Writer& to) noexcept { to.write(header); };
  self_.sender.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), data, sent);
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
    self_.traffic.with(rank).begin([&] {
      self_.sender.send_record(rank, &handle_put, sizeof piece + piece.place.bytes,
                               [&](Writer& to) noexcept {
                                 to.write(piece);
                                 to.write_bytes(left.data(), piece.place.bytes);
                               });
    });
    // Only now: a question of a fence that waited for room meanwhile went ahead of this piece.
    fence_.count_record(rank);
    if (is_last) return fence_.note_signal(rank, header.place.signal);
    piece.place.address += piece.place.bytes;
  }
}

bool Puts::packs(const Scattered& blocks) noexcept {
  return blocks.block_bytes <= piece_least_bytes;
}

void Puts::send_scattered(RemoteAddress to, const std::byte* from, const Scattered& blocks,
                          const Signal& signal, ReplyToken acknowledge) {
  if (packs(blocks)) return send_packed(to, from, blocks, signal, acknowledge);
  for (std::size_t i = 0; i < blocks.count; ++i) {
    // By all but the last the counter does not rise; but the last counts after all of them.
    const Signal counted{signal.address, i + 1 == blocks.count ? signal.increment : 0};
    send(to.rank, {{to.address + blocks.remote_offset(i), blocks.block_bytes, counted}},
         {from + i * blocks.local_stride_bytes, blocks.block_bytes});
  }
}

/// As many to a message as fit; the last one carries the signal and the acknowledgement.
void Puts::send_packed(RemoteAddress to, const std::byte* from, const Scattered& blocks,
                       const Signal& signal, ReplyToken acknowledge) {
  posted_places_.leave(to.rank, signal);
  const bool has_indices = blocks.indices != nullptr;
  const std::size_t index_bytes = has_indices ? sizeof(std::size_t) : 0;
  const std::size_t room_of_one = blocks.block_bytes + index_bytes;
  for (std::size_t first = 0; first < blocks.count;) {
    const std::size_t room_bytes =
        self_.sender.payload_room_bytes(to.rank, sizeof(ScatteredHeader) + room_of_one);
    const std::size_t most_count = (room_bytes - sizeof(ScatteredHeader)) / room_of_one;
    ScatteredHeader header{to.address, blocks.block_bytes,
                           std::min(most_count, blocks.count - first), blocks.remote_step_bytes,
                           has_indices};
    const bool is_last = first + header.count == blocks.count;
    if (is_last) {
      header.signal = signal;
      header.acknowledge = acknowledge;
    }
    if (!has_indices) header.address += blocks.remote_offset(first);
    self_.traffic.with(to.rank).begin([&] {
      self_.sender.send_record(
          to.rank, &handle_scattered, sizeof header + header.count * room_of_one,
          [&](Writer& writer) noexcept {
            writer.write(header);
            writer.write_bytes(blocks.indices + first, header.count * index_bytes);
            for (std::size_t i = first; i < first + header.count; ++i) {
              writer.write_bytes(from + i * blocks.local_stride_bytes, blocks.block_bytes);
            }
          });
    });
    fence_.count_record(to.rank);
    first += header.count;
  }
  fence_.note_signal(to.rank, signal);
}

// ---- receiving ---------------------------------------------------------------------------------

void Puts::handle_put(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  begin_write(self, source, header.place.address, header.place.bytes, write_operation);
  reader.read_bytes(reinterpret_cast<void*>(header.place.address), header.place.bytes);
  self.puts->signals_of(source).arrive(header.place.signal);
  if (header.acknowledge) {
    send_done(self, source, header.acknowledge);
  } else {
    ++self.traffic.with(source).done;
  }
}

void Puts::handle_scattered(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<ScatteredHeader>();
  const std::byte* const indices =
      reader.take(header.has_indices != 0 ? header.count * sizeof(std::size_t) : 0);
  const Scattered blocks{
      header.block_bytes, header.count, header.step_bytes, header.block_bytes,
      header.has_indices != 0 ? reinterpret_cast<const std::size_t*>(indices) : nullptr};
  begin_write(self, source, header.address, blocks.extent_bytes(), write_operation);
  blocks.copy_there(reinterpret_cast<std::byte*>(header.address),
                    reader.take(header.count * header.block_bytes));
  self.puts->signals_of(source).arrive(header.signal);
  if (header.acknowledge) {
    send_done(self, source, header.acknowledge);
  } else {
    ++self.traffic.with(source).done;
  }
}

void Puts::handle_bulk(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<PutHeader>();
  auto* arrival = new Arrival;
  arrival->self = &self;
  arrival->source = source;
  arrival->header = header;
  arrival->number = self.puts->signals_of(source).announce(header.place.signal);
  arrival->done = [](transport::Completion* completion) {
    const std::unique_ptr<Arrival> owned(static_cast<Arrival*>(completion));
    const ReplyToken acknowledge = owned->header.acknowledge;
    Puts& puts = *owned->self->puts;
    puts.fence_.count_bulk_arrival(owned->source);
    puts.signals_of(owned->source).finish(owned->header.place.signal, owned->number);
    if (!acknowledge) {
      ++owned->self->traffic.with(owned->source).done;
      return;
    }
    // As a delivery, so that the acknowledgement may wait for room.
    owned->self->dispatcher->deliver_later(
        owned->source,
        [](Rank& own, int from, Reader& token) { send_done(own, from, token.read<ReplyToken>()); },
        Payload::of(acknowledge), Delivered::rest);
  };
  begin_write(self, source, header.place.address, header.place.bytes, write_operation);
  accept_bulk(self, source, self.dispatcher->bulk_arrival().token,
              reinterpret_cast<std::byte*>(header.place.address), arrival);
}

}  // namespace tasuki::runtime
