// The recorder of a rank of a profiled program: what is called, what fibers wait for, what is sent
// and received.
//
// `tasuki profile` asks for it by TASUKI_PROFILE_FOLDER. Whoever makes something happen asks for
// `current()` and, if there is one, tells it. It writes an event file as that of an MPI program
// (docs/formats/mpi-events.md). A program that is not profiled pays the question.
//
// The objects that begin something lie on the stack of the fiber that does it, until it is over.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/event_file.hpp"
#include "events/ticks.hpp"

namespace tasuki::runtime {

class Recorder {
 public:
  /// The name of a function for people.
  using NameOf = std::string (*)(std::uintptr_t code);

  /// An event of which the end is not known.
  struct Open {
    events::Event* event = nullptr;
    events::Event spare;  ///< Where it is when the file is full.
  };
  /// A message's handler while it runs. It is a call of the program if it runs one of its
  /// functions; that is known when it has begun.
  struct Handling : Open {
    std::uint64_t enter_ticks = 0;
    std::size_t message_bytes = 0;
    int source = 0;
    bool is_message = true;   ///< False: what it runs has come with another message.
    bool is_awaited = false;  ///< The rank was idle before the message came.
  };
  /// What the running fiber is in.
  struct Context {
    Handling* handling = nullptr;
    bool is_in_collective = false;
  };
  struct Wait : Open {
    Context left;
  };
  struct Collective : Open {
    Context left;
  };
  struct CollectiveFacts {
    const char* name;
    const char* algorithm;
    std::uint64_t team_id;
    std::size_t team_size;
    int team_rank;
    int root;  ///< In the job; -1: it has none.
    std::size_t sent_bytes;
    std::size_t received_bytes;
    bool is_blocking;
  };

  /// That of the rank which the thread runs; nullptr: the program is not profiled.
  static Recorder* current() noexcept { return current_; }
  static void set_current(Recorder* recorder) noexcept { current_ = recorder; }
  /// nullptr unless a profile is wanted. If its file cannot be made, this says why.
  static std::unique_ptr<Recorder> open(int rank, int rank_count, std::string_view transport,
                                        NameOf name_of);

  Recorder(const std::string& folder, int rank, int rank_count, std::string_view transport,
           NameOf name_of);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void begin(Handling& handling, int source, std::size_t message_bytes) noexcept;
  /// `function` is what it has run, 0 if that is none of the program's or is known already.
  /// `handler` is its own address, which names messages that call no function.
  void end(Handling& handling, std::uintptr_t function, std::uintptr_t handler);
  /// The running handler's message is none that the program has caused.
  void forget_message() noexcept {
    if (running_.handling != nullptr) running_.handling->is_message = false;
  }
  /// A message has come that has no handler. `name` says what it is and lives for ever.
  void received(int source, std::size_t bytes, const char* name);

  /// The running fiber waits. `function` is as above, of the handler that the poller runs.
  void begin(Wait& wait, std::uintptr_t function, const fiber::WaitReason& reason);
  void end(Wait& wait) noexcept;
  /// It lets others run, and is called with what this returns when it runs again.
  Context leave(std::uintptr_t function);
  void come_back(Context context) noexcept;

  void begin(Collective& collective, const CollectiveFacts& facts);
  void end(Collective& collective) noexcept;

  void sent(int rank, std::size_t bytes) noexcept;
  /// Nothing can run. This lasts until something does.
  void begin_idle() noexcept;

  /// The job has ended here.
  void finish() noexcept;

 private:
  events::Event& open_event(Open& open, std::uint16_t function) noexcept;
  void close(Open& open) noexcept;
  void close_idle() noexcept {
    if (idle_.event != nullptr) close(idle_);
  }
  void note_called(Handling& handling, std::uintptr_t function);
  void note_received(const Handling& message, std::uint16_t function) noexcept;
  std::uint16_t thread_of(const Context& context) const noexcept {
    const bool is_called = context.handling != nullptr && context.handling->event != nullptr;
    return is_called ? context.handling->event->thread : 0;
  }
  std::uint16_t free_thread();
  std::uint16_t number_of(const fiber::WaitReason& reason);
  std::uint16_t number_of(const char* name, events::Kind kind);
  /// Of the function in the file that stands for what is at the address; `name()` if it is new.
  template <class Name>
  std::uint16_t number_of(std::uintptr_t address, events::Kind kind, Name name);
  std::uint16_t communicator_of(const CollectiveFacts& facts);

  static constinit thread_local Recorder* current_ __attribute__((tls_model("initial-exec")));

  events::EventFile file_;
  NameOf name_of_;
  Context running_;
  Open idle_;
  std::vector<std::uint16_t> free_threads_;
  std::uint16_t thread_count_ = 1;                                  ///< 0 is the main function's.
  std::unordered_map<std::uint64_t, std::uint16_t> numbers_;        ///< By address and kind.
  std::unordered_map<std::uint64_t, std::uint16_t> communicators_;  ///< By id of the team.
};

}  // namespace tasuki::runtime
