#include "rpc/client/handoff.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "rpc/wire/block_transfer.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds connect_timeout{10};

}  // namespace

Handoff::Handoff(const Routine& routine, CallLayout layout,
                 const std::vector<ArrayArgument>& arrays)
    : routine_(routine), layout_(std::move(layout)) {
  auto next = arrays.begin();
  for (const auto& one : layout_) arrays_.push_back(one ? &*next++ : nullptr);
}

std::exception_ptr Handoff::run(const std::vector<RankAddress>& ranks) const {
  std::vector<std::exception_ptr> faults(ranks.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      threads.emplace_back([&, rank] {
        try {
          run_with(static_cast<int>(rank), ranks[rank]);
        } catch (...) {
          faults[rank] = std::current_exception();
        }
      });
    }
  }
  const auto is_fault = [](const std::exception_ptr& one) { return one != nullptr; };
  const auto first = std::ranges::find_if(faults, is_fault);
  return first == faults.end() ? nullptr : *first;
}

void Handoff::run_with(int rank, const RankAddress& address) const {
  Socket socket = Socket::connect(address.endpoint, connect_timeout);
  send_frame(socket, {{"ticket", address.ticket}});
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !routine_.parameters[i].is_sent()) continue;
    send_block(socket, *layout_[i], rank, arrays_[i]->view, arrays_[i]->memory);
  }
  receive_frame(socket);  // The results follow; a rank that fails ends the connection instead.
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    if (!layout_[i] || !is_returned_by(rank, routine_.parameters[i])) continue;
    receive_block(socket, *layout_[i], rank, arrays_[i]->view, arrays_[i]->memory);
  }
}

}  // namespace tasuki::rpc
