// A job whose ranks are threads of this process and share all of its memory, so that the thread
// sanitizer sees what they do to each other.
//
// Each thread has a World over a transport of its own: heaps and scratch are mapped where they are,
// messages travel through queues under a lock. Thread-safety: run_threads is called by one thread.
#pragma once

#include <functional>

namespace tasuki::test {

/// What is unlike a job of processes that may do everything.
struct ThreadJobTraits {
  int readers_count = 0;  ///< Of the first so many, each says that it can read the others' memory.
  bool posts_receives = false;  ///< Lanes have pre-posted receives, for writes of any size.
  /// The only rank sleeps when it has nothing to do, until it is woken.
  bool sleeps_until_woken = false;
};

/// Calls `body` on each of `ranks_count` ranks, as tasuki::run does, and waits for all.
/// Requires: no exception leaves `body`.
void run_threads(int ranks_count, const std::function<void()>& body, ThreadJobTraits traits = {});

/// The next bulk message of the calling rank finds no memory: std::bad_alloc.
void fail_next_bulk();
/// The next message that the calling rank begins to fill finds none.
void fail_next_message();
/// While `refused`, the calling rank finds no room for further messages, as if nobody read them.
void refuse_messages(bool refused);

}  // namespace tasuki::test
