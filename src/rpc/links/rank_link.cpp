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

void RankLink::send(std::span<const std::uint8_t> head, const RemoteCall& call) {
  sender_.add(std::as_bytes(head));
  call.for_each_array([](const Parameter& one) { return one.is_sent(); },
                      [&](const layout::ArrayLayout& layout, const ArrayArgument& array) {
                        sender_.add_block(layout, rank_, array.view, array.memory);
                      });
  sender_.flush();
}

json RankLink::receive(const RemoteCall& call) {
  const json answer = receive_frame(socket_);
  if (field_of<std::string>(answer, "message") == "failed") {
    throw error(fmt::format("call {} on rank {}", call.routine.name, rank_),
                field_of<std::string>(answer, "happened"), field_of<std::string>(answer, "remedy"));
  }
  const std::int64_t start_ns = base::now_ns();
  call.for_each_array([this](const Parameter& one) { return is_returned_by(rank_, one); },
                      [this](const layout::ArrayLayout& layout, const ArrayArgument& array) {
                        receive_block(socket_, layout, rank_, array.view, array.memory);
                      });
  json seconds = field_of<json>(answer, "seconds");
  seconds["send"] = static_cast<double>(base::now_ns() - start_ns) * 1e-9;
  return seconds;
}

}  // namespace tasuki::rpc
