// The requests that a program has open: from the handle to what completes with it.
//
// The shim adds one when the program starts a non-blocking call or makes a persistent request, and
// looks it up when the program waits. Handles are opaque words. Some MPIs give all sends that are
// complete at once the same handle; then the last one counts.
//
// Thread-safety: one thread at a time.
#pragma once

#include "mpi/record/communicators.hpp"

#include <cstdint>
#include <unordered_map>

namespace tasuki::mpi::record {

enum class Direction : std::uint8_t { send, receive, other };

struct Request {
  std::uint32_t number = 0;
  Direction direction = Direction::other;
  bool is_persistent = false;
  bool is_active = true;
  bool may_be_cancelled = false;
  std::uint16_t communicator = 0;
  Word communicator_word = 0;
  std::int32_t peer = 0;  ///< In MPI_COMM_WORLD.
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t site = 0;
};

class Requests {
 public:
  Request& add(Word word) {
    // 0 stands for no request; after 2^32 requests their numbers begin anew.
    if (++last_number_ == 0) ++last_number_;
    Request& request = all_[word];
    request = Request{};
    request.number = last_number_;
    return request;
  }

  Request* find(Word word) noexcept {
    const auto found = all_.find(word);
    return found == all_.end() ? nullptr : &found->second;
  }

  void forget(Word word) noexcept { all_.erase(word); }

 private:
  std::unordered_map<Word, Request> all_;
  std::uint32_t last_number_ = 0;
};

}  // namespace tasuki::mpi::record
