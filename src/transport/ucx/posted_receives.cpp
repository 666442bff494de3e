#include "transport/ucx/posted_receives.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* receiving = "receiving bulk data over UCX";
constexpr ucp_tag_t whole_tag = ~ucp_tag_t{0};

}  // namespace

PostedReceives::PostedReceives(Worker& worker) : worker_(worker), functions_(functions()) {
  arrived_.reserve(most_count);  // Callbacks must not throw.
}

int PostedReceives::open(int source, std::span<std::byte> destination, Completion* arrived,
                         bool is_single) {
  auto free = std::find_if(receives_.begin(), receives_.end(),
                           [](const PostedReceive& receive) { return !receive.is_open; });
  if (free == receives_.end()) {
    if (receives_.size() == most_count) return none;
    receives_.emplace_back();
    free = receives_.end() - 1;
  }
  *free = {this, source, destination, arrived, is_single, nullptr, true};
  const auto number = static_cast<std::size_t>(free - receives_.begin());
  post(number);
  return static_cast<int>(number);
}

void PostedReceives::post_again(int number, std::byte* destination) {
  PostedReceive& receive = receives_[static_cast<std::size_t>(number)];
  receive.destination = {destination, receive.destination.size()};
  post(static_cast<std::size_t>(number));
}

void PostedReceives::take_back(int number) {
  PostedReceive& receive = receives_[static_cast<std::size_t>(number)];
  cancel(receive);
  receive.is_open = false;
}

const PostedReceives::PostedReceive* PostedReceives::take() {
  if (arrived_.empty()) return nullptr;
  PostedReceive& receive = *arrived_.front();
  arrived_.erase(arrived_.begin());
  taken_ = receive;
  if (!receive.is_single) {
    const auto is_it = [&](const PostedReceive& other) { return &other == &receive; };
    const auto found = std::find_if(receives_.begin(), receives_.end(), is_it);
    post(static_cast<std::size_t>(found - receives_.begin()));
  }
  return &taken_;
}

void PostedReceives::close() {
  for (PostedReceive& receive : receives_) {
    if (receive.is_open) cancel(receive);
    receive.is_open = false;
  }
}

void PostedReceives::post(std::size_t number) {
  PostedReceive& receive = receives_[number];
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.recv = &PostedReceives::on_received;
  parameters.user_data = &receive;
  void* const request = functions_.tag_recv_nbx(
      worker_.get(), receive.destination.data(), receive.destination.size(),
      tag(receive.source, static_cast<int>(number)), whole_tag, &parameters);
  if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), receiving);
  // The data may have come before the receive.
  receive.request = request;
  if (request == nullptr) arrived_.push_back(&receive);
}

void PostedReceives::cancel(PostedReceive& receive) {
  if (receive.request == nullptr) return;
  functions_.request_cancel(worker_.get(), receive.request);
  while (receive.request != nullptr) worker_.progress();
  std::erase(arrived_, &receive);
}

void PostedReceives::on_received(void* request, ucs_status_t status,
                                 const ucp_tag_recv_info_t* /*info*/, void* argument) {
  auto& receive = *static_cast<PostedReceive*>(argument);
  receive.request = nullptr;
  functions().request_free(request);
  if (status == UCS_OK) {
    receive.owner->arrived_.push_back(&receive);
  } else if (status != UCS_ERR_CANCELED) {
    receive.owner->failure_ = status;
  }
}

}  // namespace tasuki::transport::ucx
