// Moving bulk data.
#include <algorithm>
#include <cstdio>
#include <string>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

#include "transport/mpi/endpoint.hpp"
#include "transport/mpi/endpoint_peer.hpp"
#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {
namespace {

constexpr const char* sending = "sending bulk data over MPI";
constexpr const char* receiving = "receiving bulk data over MPI";
/// PostedReceives tested in a row, so that messages do not starve. Streams of 16 KiB over Open
/// MPI take the same with 1, 8 and 64 (`tasuki bench micro --mpi ompi --only mpi_write_16KB`).
constexpr int taken_per_poll = 8;

}  // namespace

void Endpoint::take_arrived() {
  for (int count = 0; count < taken_per_poll; ++count) {
    const PostedReceives::PostedReceive* posted_receive = posted_receives_.take();
    if (posted_receive == nullptr) return;
    note_arrived(*posted_receive);
  }
}

void Endpoint::note_arrived(const PostedReceives::PostedReceive& posted_receive) {
  has_moved_ = true;
  ++counters_.receives;
  counters_.bytes_received += posted_receive.destination.size();
  peer(posted_receive.source).owe_bulk();
  complete(posted_receive.arrived);
}

// ---- pieces ------------------------------------------------------------------------------------

/// Begins a transfer that may start; it may be complete at once.
void Endpoint::start_outgoing(std::uint32_t index) {
  outgoing_.activate(index);
  advance_outgoing(index);
  if (outgoing_.at(index).oldest_piece().is_done) note_outgoing(outgoing_.active_count() - 1);
}

/// Hands pieces to MPI, as many as there may be ahead.
void Endpoint::advance_outgoing(std::uint32_t index) {
  Outgoing& outgoing = outgoing_.at(index);
  while (outgoing.passed_bytes < outgoing.bytes && outgoing.pieces_count < pieces_ahead_) {
    const std::byte* data = outgoing.data + outgoing.passed_bytes;
    const std::size_t bytes = std::min(outgoing.bytes - outgoing.passed_bytes, piece_most_bytes);
    outgoing.passed_bytes += bytes;
    Outgoing::Piece& piece = outgoing.pieces[outgoing.pieces_count++];
    check(functions_,
          functions_.send(job_.bulk_communicator, data, bytes, outgoing.rank, outgoing.tag,
                          &piece.request, &piece.is_done),
          sending);
  }
}

/// Asks MPI for the next piece. Requires: the one before is complete, and one is left.
void Endpoint::advance_incoming(std::uint32_t index) {
  Incoming& incoming = incoming_.at(index);
  std::byte* piece = incoming.destination + incoming.passed_bytes;
  const std::size_t bytes = std::min(incoming.bytes - incoming.passed_bytes, piece_most_bytes);
  incoming.passed_bytes += bytes;
  check(functions_,
        functions_.receive(job_.bulk_communicator, piece, bytes, incoming.rank, incoming.tag,
                           &incoming.request),
        receiving);
}

void Endpoint::finish_outgoing(std::uint32_t index) {
  Completion* completion = outgoing_.at(index).completion;
  outgoing_.give_back(index);
  complete(completion);
}

void Endpoint::finish_incoming(std::uint32_t index) {
  const Incoming incoming = incoming_.at(index);
  incoming_.give_back(index);
  peer(incoming.rank).owe_bulk();
  complete(incoming.completion);
}

/// A piece has arrived. Requires: `position` in the list of active transfers.
void Endpoint::note_incoming(std::size_t position) {
  has_moved_ = true;
  const std::uint32_t index = incoming_.active_at(position);
  if (incoming_.at(index).passed_bytes < incoming_.at(index).bytes) return advance_incoming(index);
  incoming_.deactivate_at(position);
  finish_incoming(index);
}

/// The oldest piece is out of the sender's hands. Requires: `position` in the list of active
/// transfers.
void Endpoint::note_outgoing(std::size_t position) {
  has_moved_ = true;
  const std::uint32_t index = outgoing_.active_at(position);
  outgoing_.at(index).drop_oldest_piece();
  advance_outgoing(index);
  if (outgoing_.at(index).pieces_count != 0) return;
  outgoing_.deactivate_at(position);
  finish_outgoing(index);
}

/// Without `asks_mpi` only sends that were done at once are noticed.
/// Backwards, because a finished one is replaced by the last, and completions may add others.
void Endpoint::test_transfers(bool asks_mpi) {
  for (std::size_t position = asks_mpi ? incoming_.active_count() : 0; position-- > 0;) {
    Request& request = incoming_.at(incoming_.active_at(position)).request;
    bool is_done = false;
    check(functions_, functions_.test(&request, &is_done, nullptr), receiving);
    if (is_done) note_incoming(position);
  }
  for (std::size_t position = outgoing_.active_count(); position-- > 0;) {
    Outgoing::Piece& piece = outgoing_.at(outgoing_.active_at(position)).oldest_piece();
    bool is_done = piece.is_done;
    if (!is_done && asks_mpi) {
      check(functions_, functions_.test(&piece.request, &is_done, nullptr), sending);
    }
    if (is_done) note_outgoing(position);
  }
}

}  // namespace tasuki::transport::mpi
