// The layout of an event file: what a rank writes about its calls and `tasuki profile` reads.
//
// docs/formats/mpi-events.md says what each field means. All types are plain memory, in the byte
// order of the machine; the file is mapped, so a reader sees what a rank has written so far.
//
// Thread-safety: types only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::events {

inline constexpr char file_magic[] = "TSKEVENT";
inline constexpr std::uint32_t file_version = 2;
inline constexpr std::size_t header_bytes = 4096;
/// Of the file with the settings of the MPI library, beside that of rank 0.
inline constexpr char settings_suffix[] = ".settings";

/// Ranks that are none.
inline constexpr std::int32_t no_rank = -1;
inline constexpr std::int32_t any_rank = -2;
inline constexpr std::int32_t any_tag = -2;
inline constexpr std::uint16_t no_communicator = 65535;
/// The room of a receive that has so much and more.
inline constexpr std::uint32_t room_bytes_most = 0xffff'ffff;

/// What a rank has come to.
enum class State : std::uint32_t { before = 0, running = 1, finalized = 2, aborting = 3 };

/// Whose calls a file has.
enum class Recorded : std::uint32_t { mpi = 0, runtime = 1 };

/// The kinds of functions that C++ asks for; the generator of the MPI wrappers numbers the others.
/// docs/formats/mpi-events.md has them all.
enum class Kind : std::uint8_t {
  send = 1,
  receive = 3,
  wait = 5,
  probe = 7,
  collective = 8,
  started_collective = 9,
  completed = 16,
  send_receive = 17,
  called = 19,
  idle = 20,
  algorithm = 21,
  collective_message = 22,
  received = 23,
};

/// Bits of Event::flags.
enum Flag : std::uint16_t { found_there = 1, source_was_any = 2, tag_was_any = 4 };

struct Header {
  char magic[8];
  std::uint32_t version;
  State state;
  std::int32_t rank;
  std::int32_t rank_count;
  std::uint32_t process_id;
  std::int32_t abort_code;
  std::uint64_t start_ticks;
  std::uint64_t start_monotonic_ns;
  std::uint64_t start_realtime_ns;
  double ticks_per_second;
  std::uint64_t event_count;
  std::uint64_t event_capacity;
  std::uint64_t events_offset;
  std::uint32_t function_count;
  std::uint32_t site_count;
  std::uint32_t module_count;
  std::uint32_t communicator_count;
  std::uint64_t functions_offset;
  std::uint64_t sites_offset;
  std::uint64_t modules_offset;
  std::uint64_t communicators_offset;
  std::uint32_t thread_level;
  Recorded recorded;
  std::uint64_t reserved;
  std::uint64_t last_ticks;
  std::uint64_t last_monotonic_ns;
  char unused[88];
  char host[256];
  char program[1024];
  char library[1024];
};
static_assert(offsetof(Header, host) == 256 && offsetof(Header, library) == 1536);

struct FunctionEntry {
  char name[55];
  std::uint8_t kind;
  /// Of calls that found no room for an event.
  std::uint64_t calls;
  std::uint64_t ticks;
  std::uint64_t sent_bytes;
  std::uint64_t received_bytes;
  std::uint64_t reserved;
};
static_assert(sizeof(FunctionEntry) == 96);

struct SiteEntry {
  std::uint64_t address;
  std::uint32_t module;
  std::uint32_t reserved;
};

struct ModuleEntry {
  std::uint64_t base;
  char path[256];
};

struct CommunicatorEntry {
  std::uint64_t key;
  std::uint32_t rank_count;
  std::int32_t rank;
  std::uint32_t remote_rank_count;
  char name[64];
  char unused[44];
};
static_assert(sizeof(CommunicatorEntry) == 128);

/// One call, one cache line.
struct alignas(64) Event {
  std::uint64_t enter_ticks;
  std::uint64_t leave_ticks;
  std::uint64_t sent_bytes;
  std::uint64_t received_bytes;
  std::uint16_t function;
  std::uint16_t communicator;
  std::uint32_t site;
  std::int32_t destination;
  std::int32_t source;
  std::int32_t tag;
  std::int32_t received_tag;
  std::uint32_t request;  ///< Of a blocking receive that has returned: the bytes it had room for.
  std::uint16_t thread;
  std::uint16_t flags;
};
static_assert(sizeof(Event) == 64);

}  // namespace tasuki::events
