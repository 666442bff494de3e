#include "runtime/collectives/message_channel.hpp"

#include <fmt/format.h>

#include <cstring>
#include <tasuki/error.hpp>
#include <utility>

#include "runtime/calls/bulk_records.hpp"
#include "runtime/calls/dispatcher.hpp"
#include "runtime/collectives/collective_failure.hpp"
#include "runtime/collectives/message_operation.hpp"
#include "runtime/collectives/rank_collectives.hpp"

namespace tasuki::runtime {
namespace {

struct MessageHeader {
  std::uint64_t team;
  std::uint32_t operation;
  std::uint32_t sequence;
};

struct AdvanceHeader {
  MessageOperation* operation;
};

}  // namespace

std::size_t MessageChannel::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t hash = key.team;
  for (const std::uint64_t part : {std::uint64_t{key.operation}, std::uint64_t{key.sequence},
                                   static_cast<std::uint64_t>(key.source)}) {
    hash = (hash ^ part) * 0x9e37'79b9'7f4a'7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

MessageChannel::MessageChannel(Rank& self, MpiRequests& requests)
    : self_(self), mpi_(self.transport, requests) {
  if (self.transport.mpi_operations() != nullptr) {
    sent_first_below_bytes = sent_first_over_mpi_bytes;
  }
}

void MessageChannel::advance(MessageOperation& operation) {
  bool is_complete = false;
  must_succeed([&] { is_complete = operation.advance(); });
  if (is_complete) operation.whole.done(&operation.whole);
}

void MessageChannel::advance_later(MessageOperation& operation) {
  self_.dispatcher->deliver_later(self_.rank, &handle_advance,
                                  Payload::of(AdvanceHeader{&operation}), Delivered::rest);
}

void MessageChannel::handle_advance(Rank& self, int, Reader& reader) {
  self.collectives->schedules().channel().advance(*reader.read<AdvanceHeader>().operation);
}

bool MessageChannel::send(coll::Execution& execution, int peer, std::uint32_t sequence,
                          std::span<const std::byte> bytes) {
  auto& operation = static_cast<MessageOperation&>(execution);
  const int rank = operation.team.ranks[static_cast<std::size_t>(peer)];
  if (mpi_.carries(operation.team, rank, bytes.size())) return mpi_.send(operation, rank, bytes);
  const std::size_t record_bytes = sizeof(MessageHeader) + sizeof(std::uint64_t) + bytes.size();
  if (record_bytes + 2 * record_word_bytes <= self_.sender.largest_record_bytes()) {
    self_.sender.send_record(rank, &handle_message, record_bytes, [&](Writer& to) noexcept {
      // Part by part: to copy what has just been stored in parts takes a dozen cycles.
      to.write(operation.team.id, operation.number, sequence, std::uint64_t{bytes.size()});
      to.write_bytes(bytes.data(), bytes.size());
    });
    return true;
  }
  const MessageHeader header{operation.team.id, operation.number, sequence};
  auto fill = [&](Writer& to) noexcept { to.write(header); };
  BulkTransfer& transfer = operation;
  self_.sender.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), bytes, &transfer);
  return false;
}

bool MessageChannel::receive(coll::Execution& execution, int peer, std::uint32_t sequence,
                             std::span<std::byte> into) {
  auto& operation = static_cast<MessageOperation&>(execution);
  const int rank = operation.team.ranks[static_cast<std::size_t>(peer)];
  if (mpi_.carries(operation.team, rank, into.size())) return mpi_.receive(operation, rank, into);
  if (!unexpected_.empty()) {
    const Key key{operation.team.id, operation.number, sequence, rank};
    if (Unexpected* const early = unexpected_.find(key)) return take_early(operation, early, into);
  }
  // Part by part, as above.
  Posted& posted = posted_.add();
  posted.key.team = operation.team.id;
  posted.key.operation = operation.number;
  posted.key.sequence = sequence;
  posted.key.source = rank;
  posted.into = into;
  posted.operation = &operation;
  return false;
}

bool MessageChannel::take_early(MessageOperation& operation, Unexpected* found,
                                std::span<std::byte> into) {
  const Unexpected early = std::move(*found);
  unexpected_.erase(found);
  check_length(operation, early.key.source, early.bytes, into.size());
  if (early.is_bulk) {
    BulkTransfer& transfer = operation;
    accept_bulk(self_, early.key.source, early.bulk_token, into.data(), &transfer);
    return false;
  }
  if (early.bytes != 0) std::memcpy(into.data(), early.data.get(), early.bytes);
  return true;
}

[[noreturn, gnu::cold]] void MessageChannel::refuse_length(const MessageOperation& operation,
                                                           int source, std::size_t arrived_bytes,
                                                           std::size_t wanted_bytes) {
  base::die(text_of({fmt::format("{} on a team of {} ranks", coll::name_of(operation.collective),
                                 operation.team.ranks.size()),
                     source, arrived_bytes, wanted_bytes}));
}

void MessageChannel::handle_message(Rank& self, int source, Reader& reader) {
  MessageChannel& channel = self.collectives->schedules().channel();
  const auto header = reader.read<MessageHeader>();
  const auto bytes = static_cast<std::size_t>(reader.read<std::uint64_t>());
  const Key key{header.team, header.operation, header.sequence, source};
  Posted* const posted = channel.posted_.find(key);
  if (posted == nullptr) return channel.keep_early(key, reader, bytes);
  check_length(*posted->operation, source, bytes, posted->into.size());
  if (bytes != 0) reader.read_bytes(posted->into.data(), bytes);
  MessageOperation* operation = posted->operation;
  channel.posted_.erase(posted);
  if (operation->transfer_done()) channel.advance(*operation);
}

// Not inlined: whoever has a place for a message should not make room for another.
[[gnu::noinline]] void MessageChannel::keep_early(const Key& key, Reader& reader,
                                                  std::size_t bytes) {
  auto data = std::make_unique_for_overwrite<std::byte[]>(bytes);
  reader.read_bytes(data.get(), bytes);
  unexpected_.add() = {key, std::move(data), bytes, false, 0};
}

void MessageChannel::handle_bulk(Rank& self, int source, Reader& reader) {
  MessageChannel& channel = self.collectives->schedules().channel();
  const auto header = reader.read<MessageHeader>();
  const Key key{header.team, header.operation, header.sequence, source};
  const BulkArrival bulk = self.dispatcher->bulk_arrival();
  Posted* const posted = channel.posted_.find(key);
  if (posted == nullptr) {
    channel.unexpected_.add() = {key, nullptr, bulk.bytes, true, bulk.token};
    return;
  }
  check_length(*posted->operation, source, bulk.bytes, posted->into.size());
  const Posted found = *posted;
  channel.posted_.erase(posted);
  BulkTransfer& transfer = *found.operation;
  accept_bulk(self, source, bulk.token, found.into.data(), &transfer);
}

}  // namespace tasuki::runtime
