// Pre-posted receives: tagged receives into memory of the layer above, which other ranks fill
// unannounced, as often as it posts them.
//
// Used by the endpoint. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/transport/completion.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "transport/ucx/worker.hpp"

namespace tasuki::transport::ucx {

class PostedReceives {
 public:
  static constexpr int none = -1;
  /// Most of one rank; what comes for each is bounded by the sender's credits.
  static constexpr std::size_t most_count = 64;

  struct PostedReceive {
    PostedReceives* owner = nullptr;
    int source = 0;
    std::span<std::byte> destination;
    Completion* arrived = nullptr;
    bool is_single = false;
    void* request = nullptr;  ///< UCX's, while it waits for data.
    bool is_open = false;
  };

  explicit PostedReceives(Worker& worker);
  ~PostedReceives() { close(); }

  /// Returns: its number, or `none` if there are no more. Throws tasuki::error (UCX).
  int open(int source, std::span<std::byte> destination, Completion* arrived, bool is_single);
  /// As Lane::post_again.
  void post_again(int number, std::byte* destination);
  /// As Lane::take_back.
  void take_back(int number);
  /// The next that has got data, or null; it is posted again by then, unless it is a single one.
  const PostedReceive* take();
  /// Ends all.
  void close();
  /// The first that UCX has told.
  ucs_status_t failure() const noexcept { return failure_; }

  /// What a sender names a receive by.
  static ucp_tag_t tag(int source, int number) noexcept {
    return (static_cast<ucp_tag_t>(source) << 32) | static_cast<std::uint32_t>(number);
  }

 private:
  void post(std::size_t number);
  void cancel(PostedReceive& receive);
  static void on_received(void* request, ucs_status_t status, const ucp_tag_recv_info_t* info,
                          void* receive);

  Worker& worker_;
  const Functions& functions_;
  std::deque<PostedReceive> receives_;  ///< A deque, as UCX keeps addresses of its elements.
  std::vector<PostedReceive*> arrived_;
  PostedReceive taken_;
  ucs_status_t failure_ = UCS_OK;
};

}  // namespace tasuki::transport::ucx
