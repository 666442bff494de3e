// How the transfers of schedules travel: straight into their place by the MPI library, else
// as records and bulk data.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tasuki/call.hpp>
#include <tasuki/error.hpp>

#include "runtime/collectives/collective_operation.hpp"
#include "runtime/collectives/length_mismatch.hpp"
#include "runtime/memory/bulk.hpp"

namespace tasuki::runtime {
namespace {

// What a rank may send ahead of one that does not look waits inside the MPI library. After so
// many collectives that the others may not have begun, messages wait for their receiver, so that it
// is not more than theirs.
constexpr std::uint32_t operations_sent_ahead = 64;

struct MessageHeader {
  std::uint64_t team;
  std::uint32_t operation;
  std::uint32_t sequence;
};

}  // namespace

/// The transport's end of a bulk transfer of an operation.
struct Collectives::BulkTransfer : transport::Completion {
  BulkTransfer(World& of, Operation& part_of) : world(&of), operation(&part_of) {
    done = &bulk_done;
  }
  World* world;
  Operation* operation;
};

std::size_t Collectives::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t hash = key.team;
  for (const std::uint64_t part : {std::uint64_t{key.operation}, std::uint64_t{key.sequence},
                                   static_cast<std::uint64_t>(key.source)}) {
    hash = (hash ^ part) * 0x9e37'79b9'7f4a'7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

void Collectives::advance(Operation& operation) {
  bool is_complete = false;
  try {
    is_complete = operation.advance();
  } catch (...) {
    end_job_by_exception();
  }
  if (is_complete) operation.finish();
}

/// Both ends come to the same answer. Only for the team of all, since the numbers of its
/// collectives are all that names messages there.
inline bool Collectives::goes_by_mpi(const Operation& operation, int rank,
                                     std::size_t bytes) const {
  return mpi_ != nullptr && operation.team.is_world && bytes <= mpi_most_bytes_ &&
         reached_by_mpi_[static_cast<std::size_t>(rank)];
}

bool Collectives::send(coll::Execution& execution, int peer, std::uint32_t sequence,
                       std::span<const std::byte> bytes) {
  auto& operation = static_cast<Operation&>(execution);
  const int rank = operation.team.ranks[static_cast<std::size_t>(peer)];
  if (goes_by_mpi(operation, rank, bytes.size())) {
    transport::MpiRequest request;
    const std::uint32_t ahead_count = operation.number - operation.team.begun_by_all;
    const bool is_synchronous = ahead_count % operations_sent_ahead == operations_sent_ahead - 1;
    if (mpi_->send(rank, operation.number, bytes, is_synchronous, request)) return true;
    mpi_requests_.add_send(request, &operation.mpi_transfer, rank, operation.number, bytes.size());
    return false;
  }
  const std::size_t record_bytes = sizeof(MessageHeader) + sizeof(std::uint64_t) + bytes.size();
  if (record_bytes + 2 * record_word_bytes <= world_.largest_record_bytes()) {
    world_.send_record(rank, &handle_message, record_bytes, [&](Writer& to) noexcept {
      // Part by part: to copy what has just been stored in parts takes a dozen cycles.
      to.write(operation.team.id, operation.number, sequence, std::uint64_t{bytes.size()});
      to.write_bytes(bytes.data(), bytes.size());
    });
    return true;
  }
  const MessageHeader header{operation.team.id, operation.number, sequence};
  auto* transfer = new BulkTransfer(world_, operation);
  auto fill = [&](Writer& to) noexcept { to.write(header); };
  world_.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), bytes, transfer);
  return false;
}

bool Collectives::receive(coll::Execution& execution, int peer, std::uint32_t sequence,
                          std::span<std::byte> into) {
  auto& operation = static_cast<Operation&>(execution);
  const int rank = operation.team.ranks[static_cast<std::size_t>(peer)];
  if (goes_by_mpi(operation, rank, into.size())) {
    transport::MpiRequest request;
    mpi_->receive(rank, operation.number, into, request);
    mpi_requests_.add_receive(request, &operation.mpi_transfer, rank, operation.number,
                              into.size());
    return false;
  }
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

bool Collectives::take_early(Operation& operation, Unexpected* found, std::span<std::byte> into) {
  const Unexpected early = std::move(*found);
  unexpected_.erase(found);
  check_length(early.key, early.bytes, into.size());
  if (early.is_bulk) {
    accept_bulk(operation, early.bulk_token, into.data());
    return false;
  }
  if (early.bytes != 0) std::memcpy(into.data(), early.data.get(), early.bytes);
  return true;
}

[[noreturn, gnu::cold]] void Collectives::refuse_length(const Key& key, std::size_t arrived_bytes,
                                                        std::size_t wanted_bytes) {
  base::die(text_of({fmt::format("collective {} on team {:x}", key.operation, key.team), key.source,
                     arrived_bytes, wanted_bytes}));
}

void Collectives::handle_message(World& world, int source, Reader& reader) {
  Collectives& self = world.collectives();
  const auto header = reader.read<MessageHeader>();
  const auto bytes = static_cast<std::size_t>(reader.read<std::uint64_t>());
  const Key key{header.team, header.operation, header.sequence, source};
  Posted* const posted = self.posted_.find(key);
  if (posted == nullptr) return self.keep_early(key, reader, bytes);
  check_length(key, bytes, posted->into.size());
  if (bytes != 0) reader.read_bytes(posted->into.data(), bytes);
  Operation* operation = posted->operation;
  self.posted_.erase(posted);
  if (operation->transfer_done()) self.advance(*operation);
}

// Not inlined: whoever has a place for a message should not make room for another.
[[gnu::noinline]] void Collectives::keep_early(const Key& key, Reader& reader, std::size_t bytes) {
  auto data = std::make_unique_for_overwrite<std::byte[]>(bytes);
  reader.read_bytes(data.get(), bytes);
  unexpected_.add() = {key, std::move(data), bytes, false, 0};
}

void Collectives::handle_bulk(World& world, int source, Reader& reader) {
  Collectives& self = world.collectives();
  const auto header = reader.read<MessageHeader>();
  const Key key{header.team, header.operation, header.sequence, source};
  const BulkArrival bulk = world.bulk_arrival();
  Posted* const posted = self.posted_.find(key);
  if (posted == nullptr) {
    self.unexpected_.add() = {key, nullptr, bulk.bytes, true, bulk.token};
    return;
  }
  check_length(key, bulk.bytes, posted->into.size());
  const Posted found = *posted;
  self.posted_.erase(posted);
  self.accept_bulk(*found.operation, bulk.token, found.into.data());
}

void Collectives::accept_bulk(Operation& operation, std::uint64_t token, std::byte* into) {
  auto* transfer = new BulkTransfer(world_, operation);
  runtime::accept_bulk(world_, token, into, transfer);
}

void Collectives::bulk_done(transport::Completion* self) {
  const std::unique_ptr<BulkTransfer> transfer(static_cast<BulkTransfer*>(self));
  Operation* operation = transfer->operation;
  if (!operation->transfer_done()) return;
  // The transport is in the middle of its work; going on may wait, so the poller does it.
  const AdvanceHeader header{operation};
  auto payload = std::make_unique_for_overwrite<std::byte[]>(sizeof header);
  std::memcpy(payload.get(), &header, sizeof header);
  transfer->world->deliver_later(transfer->world->rank(), &handle_advance, std::move(payload),
                                 sizeof header);
}

void Collectives::handle_advance(World& world, int, Reader& reader) {
  world.collectives().advance(*reader.read<AdvanceHeader>().operation);
}

}  // namespace tasuki::runtime
