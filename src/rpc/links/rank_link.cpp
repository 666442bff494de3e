#include "rpc/links/rank_link.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/error.hpp>

#include "rpc/links/block_transfer.hpp"
#include "rpc/links/failed_call.hpp"
#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/pulse.hpp"
#include "rpc/wire/seconds_since.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};
/// A rank that is leased to this client answers at once.
constexpr Socket::Seconds welcome_timeout{10};

}  // namespace

RankAddress rank_address_from(const json& rank, bool is_encrypted) {
  return {
      {field_of<std::string>(rank, "host"), field_of<std::uint16_t>(rank, "port"), is_encrypted},
      field_of<std::string>(rank, "ticket")};
}

RankLink::RankLink(int rank, const RankAddress& address, bool offers_memory)
    : ticket_(address.ticket),
      rank_(rank),
      socket_(Socket::connect(address.endpoint, connect_timeout)),
      sender_(socket_) {
  if (address.endpoint.is_encrypted) socket_.encrypt(ticket_, connect_timeout);
  if (offers_memory && socket_.own_host() == socket_.peer_host()) {
    offer_memory();
  } else {
    send_frame(socket_, {{"ticket", ticket_}});
  }
}

void RankLink::watch(const Await& check) {
  patience_.reset();
  socket_.set_timeout(watch_interval);
  patience_.emplace(socket_, [check] {
    check();
    return false;
  });
}

void RankLink::offer_memory() {
  send_frame(socket_, {{"ticket", ticket_}, {"memory", memory_offer(ticket_)}});
  socket_.set_timeout(welcome_timeout);
  const json answer = receive_frame(socket_);
  socket_.set_timeout(Socket::Seconds(0));
  if (answer.contains("memory")) {
    memory_ = PeerMemory::find(field_of<json>(answer, "memory"), ticket_, socket_);
  }
}

void RankLink::send(std::span<const std::uint8_t> head, const Exchange& exchange) {
  sender_.add(std::as_bytes(head));
  send_blocks(socket_, sender_, exchange.wire, rank_, exchange.sent);
  for (const PlacedFile& one : exchange.sent_files) send_file(socket_, one.descriptor, one.bytes);
}

json RankLink::receive_answer(const ServeCallback& serve_callback, const Await& await) {
  const auto next_message = [&] {
    await();
    return receive_frame(socket_);
  };
  json answer = next_message();
  while (serve_callback && field_of<std::string>(answer, "message") == "callback") {
    serve_callback(answer, socket_);
    answer = next_message();
  }
  const auto kind = field_of<std::string>(answer, "message");
  if (kind == "failed") {
    throw FailedCall(fmt::format("call rank {}", rank_), field_of<std::string>(answer, "happened"),
                     field_of<std::string>(answer, "remedy"));
  }
  if (kind == "refused") return answer;
  if (kind != "results") refuse_field("message");
  if (!field_of<json>(answer, "seconds").is_object()) refuse_field("seconds");
  return answer;
}

json RankLink::receive(const Exchange& exchange, const Await& await, const Await& await_arrays) {
  json answer = receive_answer(exchange.serve_callback, await);
  if (answer.at("message") == "refused") return answer;
  for (const PlacedArray& one : exchange.sent) {
    if (one.is_in_memory) read_bytes_ += one.layout.selected_bytes(rank_);
  }
  await_arrays();
  const std::int64_t start_ns = base::now_ns();
  bool has_read = false;
  for (const PlacedArray& one : exchange.returned) {
    if (!is_returned_by(rank_, one.parameter)) continue;
    if (one.is_in_memory) {
      read(one,
           field_of<std::uint64_t>(field_of<json>(answer, "memory"), one.parameter.name.c_str()));
      has_read = true;
    } else {
      receive_placed(socket_, exchange.wire, rank_, one);
    }
  }
  for (const PlacedFile& one : exchange.returned_files) {
    if (rank_ != 0) break;
    const auto sizes = field_of<json>(answer, "files");
    receive_file(socket_, one.descriptor, field_of<std::int64_t>(sizes, one.name.c_str()));
  }
  if (has_read) confirm_reading();
  answer["seconds"]["send"] = seconds_since(start_ns);
  return answer;
}

void RankLink::confirm_reading() {
  // Another process may have the number of one that has ended.
  if (socket_.has_ended()) {
    throw error("read results", fmt::format("rank {} has ended meanwhile", rank_), "call again");
  }
  send_frame(socket_, {{"message", "taken"}});
}

void RankLink::read(const PlacedArray& placed, std::uint64_t block) {
  MemoryReader reader(*memory_);
  layout::RunCursor cursor(placed.layout, rank_, placed.array.view);
  while (const auto run = cursor.next()) {
    reader.add(block + static_cast<std::uint64_t>(run->block_offset_bytes),
               placed.array.memory + run->array_offset_bytes, static_cast<std::size_t>(run->bytes));
    read_bytes_ += run->bytes;
  }
  reader.flush();
}

}  // namespace tasuki::rpc
