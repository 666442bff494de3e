// How an executor waits for the messages of a collective, if it does not just poll.
//
// The preloaded library waits with one as the calls of the program do, and does things ahead of
// the messages. Thread-safety: as the executor's that asks it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace tasuki::coll {

class MessageWaiter {
 public:
  MessageWaiter() = default;
  MessageWaiter(const MessageWaiter&) = delete;
  MessageWaiter& operator=(const MessageWaiter&) = delete;
  virtual ~MessageWaiter() = default;

  /// A receive has been posted. Returns a number for it.
  virtual std::size_t posted(int source, std::span<const std::byte> into) = 0;
  /// The message of this receive has come, and fills its memory.
  virtual void arrived(std::size_t number) noexcept = 0;
  /// Calls `poll` until it returns true. Throws what that throws.
  virtual void until(const std::function<bool()>& poll) = 0;
};

}  // namespace tasuki::coll
