#include "transport/ucx/endpoint_peer.hpp"

#include <algorithm>
#include <cstring>
#include <tasuki/detail/base/assert.hpp>
#include <utility>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* communicating = "communicating over UCX";
constexpr const char* connecting = "connecting over UCX";
constexpr const char* sending_message = "sending a message over UCX";
constexpr const char* sending_bulk = "sending bulk data over UCX";
/// UCX's flag for the protocol; 0: its own choice.
std::uint32_t protocol_for(FrameKind kind, std::size_t bytes) noexcept {
  // A message is received into UCX's own memory, so a rendezvous would gain nothing.
  if (kind != FrameKind::bulk) return UCP_AM_SEND_FLAG_EAGER;
  return bytes >= rendezvous_least_bytes ? UCP_AM_SEND_FLAG_RNDV : 0;
}

}  // namespace

// ---- the way -----------------------------------------------------------------------------------

void Endpoint::Peer::make_state() {
  state_ = std::make_unique<State>();
  state_->credits = endpoint_.window_;
}

void Endpoint::Peer::ask_for_way() {
  State& it = state();
  if (it.has_asked) return;
  endpoint_.wireup_->ask(rank_);
  it.has_asked = true;
  ++endpoint_.asked_count_;
}

void Endpoint::Peer::open_way(std::span<const std::byte> address) {
  ucp_ep_params_t parameters{};
  parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                          UCP_EP_PARAM_FIELD_ERR_HANDLER;
  parameters.address = reinterpret_cast<const ucp_address_t*>(address.data());
  parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  parameters.err_handler = {&Peer::on_failure, this};
  check(endpoint_.functions_.ep_create(endpoint_.worker_.get(), &parameters, &state().way),
        connecting);
  const ucs_status_t status = endpoint_.opening_ways_.follow(rank_, state_->way, address);
  if (status != UCS_OK) endpoint_.fail(connecting, status, rank_);
}

void Endpoint::Peer::on_failure(void* self, ucp_ep_h /*way*/, ucs_status_t status) {
  const Peer& peer = *static_cast<Peer*>(self);
  peer.endpoint_.fail(communicating, status, peer.rank_);
}

void Endpoint::Peer::close() {
  if (state_ == nullptr || state_->way == nullptr) return;
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  parameters.flags = UCP_EP_CLOSE_FLAG_FORCE;
  endpoint_.worker_.finish(endpoint_.functions_.ep_close_nbx(state_->way, &parameters));
  state_->way = nullptr;
}

// ---- frames ------------------------------------------------------------------------------------

std::byte* Endpoint::Peer::acquire([[maybe_unused]] std::size_t bytes) {
  State& it = state();
  TASUKI_DEBUG_ASSERT(bytes <= message_max_bytes && it.open == SendSlots::none);
  if (it.credits == 0) return nullptr;
  if (it.way == nullptr) [[unlikely]]
    ask_for_way();
  it.open = endpoint_.slots_.take();
  return it.open == SendSlots::none ? nullptr : endpoint_.slots_.at(it.open).payload;
}

void Endpoint::Peer::commit(std::size_t bytes) {
  State& it = state();
  const std::int32_t slot = std::exchange(it.open, SendSlots::none);
  TASUKI_DEBUG_ASSERT(slot != SendSlots::none && bytes <= message_max_bytes);
  if (bytes == 0) return endpoint_.slots_.give_back(slot);
  --it.credits;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += bytes;
  send(slot, FrameKind::message, 0, {endpoint_.slots_.at(slot).payload, bytes}, nullptr);
}

void Endpoint::Peer::send(std::int32_t slot, FrameKind kind, std::size_t header_bytes,
                          std::span<const std::byte> data, Completion* completion) {
  State& it = state();
  Slot& frame = endpoint_.slots_.at(slot);
  frame.header = {};
  frame.header.source = static_cast<std::uint32_t>(endpoint_.rank_);
  frame.header.kind = kind;
  frame.header.frame_credits = static_cast<std::uint16_t>(std::exchange(it.owed_frames, 0));
  frame.header.bulk_credits = static_cast<std::uint16_t>(std::exchange(it.owed_bulk, 0));
  if (kind != FrameKind::credit) frame.header.sequence = it.sequence++;
  ++endpoint_.traffic_.sent;
  post_or_hold(slot, {.header_bytes = header_bytes, .data = data, .completion = completion});
}

void Endpoint::Peer::post_or_hold(std::int32_t slot, const SendSlots::Content& content) {
  State& it = state();
  if (it.way == nullptr) [[unlikely]]
    return endpoint_.slots_.hold(it.held, slot, content);
  post(slot, content);
}

void Endpoint::Peer::post_held() {
  while (state_->held.first != SendSlots::none) {
    const auto [slot, content] = endpoint_.slots_.take_held(state_->held);
    post(slot, content);
  }
}

void Endpoint::Peer::post(std::int32_t slot, const SendSlots::Content& content) {
  if (content.posted_receive == SendSlots::no_posted_receive)
    post_frame(slot, content);
  else
    post_data(slot, content);
}

void Endpoint::Peer::post_frame(std::int32_t slot, const SendSlots::Content& content) {
  const Slot& frame = endpoint_.slots_.at(slot);
  const FrameKind kind = frame.header.kind;
  SendSlots::Sending& sending = endpoint_.slots_.sending(slot, content.completion);
  ucp_request_param_t parameters{};
  parameters.op_attr_mask =
      UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
  parameters.flags = protocol_for(kind, content.data.size());
  parameters.cb.send = &SendSlots::on_sent;
  parameters.user_data = &sending;
  follow(endpoint_.functions_.am_send_nbx(state_->way, frame_id, &frame,
                                          sizeof(FrameHeader) + content.header_bytes,
                                          content.data.data(), content.data.size(), &parameters),
         sending, kind == FrameKind::bulk ? sending_bulk : sending_message);
}

void Endpoint::Peer::follow(ucs_status_ptr_t request, SendSlots::Sending& sending,
                            const char* operation) {
  if (UCS_PTR_IS_PTR(request)) return;
  Completion* const completion = endpoint_.slots_.finish(sending);
  check(UCS_PTR_STATUS(request), operation);
  complete(completion);
}

/// Credits go back alone only when the other side may run out of them.
void Endpoint::Peer::note_owed() {
  State& it = state();
  const bool is_due = it.owed_frames >= endpoint_.window_ / 2 ||
                      it.owed_bulk >= std::max(1u, endpoint_.bulk_most_ / 4);
  if (!is_due || it.is_credit_due) return;
  it.is_credit_due = true;
  endpoint_.credit_due_.push_back(this);
}

// ---- bulk data ---------------------------------------------------------------------------------

bool Endpoint::Peer::send_bulk(std::span<const std::byte> header, std::span<const std::byte> data,
                               Completion* completion) {
  TASUKI_DEBUG_ASSERT(header.size() <= bulk_header_max_bytes);
  State& it = state();
  if (it.credits == 0 || it.under_way == endpoint_.bulk_most_) return false;
  if (it.way == nullptr) [[unlikely]]
    ask_for_way();
  const std::int32_t slot = endpoint_.slots_.take();
  if (slot == SendSlots::none) return false;
  if (!header.empty()) {
    std::memcpy(endpoint_.slots_.at(slot).payload, header.data(), header.size());
  }
  --it.credits;
  if (!data.empty()) ++it.under_way;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += header.size() + data.size();
  send(slot, FrameKind::bulk, header.size(), data, completion);
  return true;
}

void Endpoint::Peer::accept(std::uint64_t token, std::byte* destination, Completion* completion) {
  Incoming& incoming = endpoint_.incoming_[token];
  TASUKI_DEBUG_ASSERT(incoming.source == rank_);
  incoming.completion = completion;
  endpoint_.receive_bulk(incoming, destination);
}

int Endpoint::Peer::post_receive(std::span<std::byte> destination, Completion* arrived) {
  return endpoint_.posted_receives_.open(rank_, destination, arrived, false);
}

int Endpoint::Peer::post_single_receive(std::span<std::byte> destination, Completion* arrived) {
  return endpoint_.posted_receives_.open(rank_, destination, arrived, true);
}

void Endpoint::Peer::post_again(int posted_receive, std::byte* destination) {
  endpoint_.posted_receives_.post_again(posted_receive, destination);
}

void Endpoint::Peer::take_back(int posted_receive) {
  endpoint_.posted_receives_.take_back(posted_receive);
}

bool Endpoint::Peer::send_to_posted(int posted_receive, std::span<const std::byte> data,
                                    Completion* completion) {
  if (!has_bulk_room()) return false;
  State& it = state();
  if (it.way == nullptr) [[unlikely]]
    ask_for_way();
  const std::int32_t slot = endpoint_.slots_.take();
  ++it.under_way;
  ++endpoint_.counters_.sends;
  endpoint_.counters_.bytes_sent += data.size();
  post_or_hold(slot, {.data = data, .completion = completion, .posted_receive = posted_receive});
  return true;
}

void Endpoint::Peer::post_data(std::int32_t slot, const SendSlots::Content& content) {
  SendSlots::Sending& sending = endpoint_.slots_.sending(slot, content.completion);
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.send = &SendSlots::on_sent;
  parameters.user_data = &sending;
  follow(endpoint_.functions_.tag_send_nbx(
             state_->way, content.data.data(), content.data.size(),
             PostedReceives::tag(endpoint_.rank_, content.posted_receive), &parameters),
         sending, sending_bulk);
}

}  // namespace tasuki::transport::ucx
