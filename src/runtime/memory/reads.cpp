#include "runtime/memory/reads.hpp"

#include <memory>
#include <tasuki/call.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {
namespace {

constexpr const char* read_operation = "remote read";

/// What a record with reads begins with, and its answer.
struct ReadsHeader {
  ReplyToken token;
  std::uint64_t bytes = 0;  ///< Of each read.
};

/// One read of a record. In the answer, `into` and the bytes follow, in words.
struct Read {
  std::uintptr_t from = 0;
  std::uintptr_t into = 0;
};

std::size_t answer_bytes(std::size_t count, std::size_t bytes) noexcept {
  return sizeof(ReadsHeader) + count * (sizeof(std::uintptr_t) + round_to_word(bytes));
}

struct BulkReadArrival : transport::Completion {
  Rank* self;
  int source;
  ReplyToken token;
};

}  // namespace

// Programs of one job that were linked apart find handlers by their symbols; so they have some.

void handle_reads_answer(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<ReadsHeader>();
  const ReplyTo reads(header.token);
  const std::size_t bytes = header.bytes;
  while (reader.left_bytes() != 0) {
    auto* const into = reinterpret_cast<std::byte*>(reader.read<std::uintptr_t>());
    base::copy_bytes(into, reader.take(round_to_word(bytes)), bytes);
  }
  reads->complete();
  ++self.traffic.with(source).done;
}

void handle_bulk_read(Rank& self, int source, Reader& reader) {
  auto* arrival = new BulkReadArrival;
  arrival->self = &self;
  arrival->source = source;
  arrival->token = reader.read<ReplyToken>();
  auto* into = reinterpret_cast<std::byte*>(reader.read<std::uintptr_t>());
  arrival->done = [](transport::Completion* completion) {
    const std::unique_ptr<BulkReadArrival> owned(static_cast<BulkReadArrival*>(completion));
    ReplyTo(owned->token)->complete_by_poller();
    ++owned->self->traffic.with(owned->source).done;
  };
  accept_bulk(self, source, self.dispatcher->bulk_arrival().token, into, arrival);
}

void handle_read_failed(Rank& self, int source, Reader& reader) {
  const ReplyTo read(reader.read<ReplyToken>());
  const auto text = Codec<std::string>::read(self.sender.modules(), reader);
  read->fail(std::make_exception_ptr(
      error(read_operation, text,
            "do not use a global pointer after delete_, nor beyond the end of its array")));
  ++self.traffic.with(source).done;
}

namespace {

/// Throws tasuki::error if any of them is known to be of memory that is not live.
void check_live_all(Rank& self, Reader reads, std::size_t bytes) {
  if constexpr (heap_is_checked) {
    while (reads.left_bytes() != 0) {
      check_live(self, {self.rank, reads.read<Read>().from}, bytes, read_operation);
    }
  }
}

void answer_by_bulk(Rank& self, int source, const ReadsHeader& header, const Read& read) {
  touching(source, read.from, header.bytes, read_operation);
  AwaitedCompletion sent;
  auto fill = [&](Writer& to) noexcept { to.write(header.token, read.into); };
  const auto* data = reinterpret_cast<const std::byte*>(read.from);
  self.sender.send_bulk(source, &handle_bulk_read, sizeof header.token + sizeof read.into,
                        FillReference(fill), {data, header.bytes}, &sent);
  sent.wait({fiber::WaitKind::future});  // this handler becomes a fiber meanwhile
}

}  // namespace

void handle_reads(Rank& self, int source, Reader& reader) {
  const auto header = reader.read<ReadsHeader>();
  const std::size_t bytes = header.bytes;
  const std::size_t count = reader.left_bytes() / sizeof(Read);
  try {
    check_live_all(self, reader, bytes);
  } catch (const error& e) {
    send_answer(self.sender, source, &handle_read_failed, header.token, e.happened());
    return;
  }
  if (answer_bytes(count, bytes) + 2 * record_word_bytes > self.sender.largest_record_bytes()) {
    answer_by_bulk(self, source, header, reader.read<Read>());
    return;
  }
  auto fill = [&](Writer& to) noexcept {
    to.write(header);
    for (std::size_t i = 0; i < count; ++i) {
      const auto read = reader.read<Read>();
      touching(source, read.from, bytes, read_operation);
      to.write(read.into);
      base::copy_bytes(to.skip(round_to_word(bytes)), reinterpret_cast<const std::byte*>(read.from),
                       bytes);
    }
  };
  self.sender.send_record<RecordPurpose::answer>(source, &handle_reads_answer,
                                                 answer_bytes(count, bytes), fill);
}

Reads::Reads(Rank& self) : self_(self), open_(self.size) { self.reads = this; }

Future<void> Reads::ask(RemoteAddress from, std::span<std::byte> into) {
  Sender& sender = self_.sender;
  const Read read{from.address, reinterpret_cast<std::uintptr_t>(into.data())};
  Open& open = open_[from.rank];
  if (open.bytes == into.size() && open.left_count != 0) {
    if (std::byte* const added = sender.grow(from.rank, open.record, sizeof read)) {
      Writer(added).write(read);
      --open.left_count;
      open.state->retain();
      return Future<void>(open.state);
    }
  }
  GrowingRecord record;
  auto answered = runtime::ask<void>({fiber::WaitKind::transfer, from.rank}, [&](ReplyToken token) {
    auto fill = [&](Writer& to) noexcept { to.write(ReadsHeader{token, into.size()}, read); };
    self_.traffic.with(from.rank).begin([&] {
      record =
          sender.send_growing(from.rank, &handle_reads, sizeof(ReadsHeader) + sizeof read, fill);
    });
  });
  if (record.begin != nullptr) {
    open = {record, answered.internal_state(), into.size(), further_count(into.size())};
  }
  return answered;
}

/// How many may join the first one, so that the answer fits a message of short records.
std::size_t Reads::further_count(std::size_t bytes) const noexcept {
  // Where pointers are checked each read has an error of its own.
  if (heap_is_checked) return 0;
  const std::size_t room_bytes = self_.sender.message_payload_bytes();
  const std::size_t first_bytes = answer_bytes(1, bytes);
  if (first_bytes > room_bytes) return 0;
  return (room_bytes - first_bytes) / (answer_bytes(1, bytes) - answer_bytes(0, bytes));
}

}  // namespace tasuki::runtime
