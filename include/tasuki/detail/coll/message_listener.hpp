// A listener that an executor tells of each message that a collective receives.
//
// The preloaded library records with one what a profiled program receives. Thread-safety: as the
// executor's that tells it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::coll {

/// A message that a collective has received.
struct CollectiveMessage {
  int source;
  std::size_t bytes;
  std::uint64_t posted;  ///< When its receive was posted, by the listener's clock.
};

/// Told of the messages of collectives, for a record of what a program receives.
class MessageListener {
 public:
  MessageListener() = default;
  MessageListener(const MessageListener&) = delete;
  MessageListener& operator=(const MessageListener&) = delete;
  virtual ~MessageListener() = default;

  /// The moment, in the unit of the listener's clock.
  virtual std::uint64_t now() noexcept = 0;
  virtual void received(const CollectiveMessage& message) noexcept = 0;
};

}  // namespace tasuki::coll
