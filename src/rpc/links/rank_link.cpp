#include "rpc/links/rank_link.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>

#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};

}  // namespace

RankLink::RankLink(int rank, const RankAddress& address)
    : rank_(rank), socket_(Socket::connect(address.endpoint, connect_timeout)), sender_(socket_) {
  send_frame(socket_, {{"ticket", address.ticket}});
}

void RankLink::send(std::span<const std::uint8_t> head, const Exchange& exchange) {
  sender_.add(std::as_bytes(head));
  for (const PlacedArray& one : exchange.sent) {
    sender_.add_block(one.layout, rank_, one.array.view, one.array.memory);
  }
  sender_.flush();
}

json RankLink::receive(const Exchange& exchange) {
  json answer = receive_frame(socket_);
  const auto kind = field_of<std::string>(answer, "message");
  if (kind == "failed") {
    throw error(fmt::format("call rank {}", rank_), field_of<std::string>(answer, "happened"),
                field_of<std::string>(answer, "remedy"));
  }
  if (kind != "results") return answer;
  const std::int64_t start_ns = base::now_ns();
  for (const PlacedArray& one : exchange.returned) {
    if (!is_returned_by(rank_, one.parameter)) continue;
    receive_block(socket_, one.layout, rank_, one.array.view, one.array.memory);
  }
  answer["seconds"]["send"] = static_cast<double>(base::now_ns() - start_ns) * 1e-9;
  return answer;
}

}  // namespace tasuki::rpc
