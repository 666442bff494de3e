#include "mpi/shim/process.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/bounce_receives.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/collectives/tuned.hpp"
#include "mpi/entry/message.hpp"
#include "mpi/shim/call.hpp"
#include "mpi/shim/library_settings.hpp"
#include "mpi/wait/waiting.hpp"

#include <mpi.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/error.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

namespace tasuki::mpi::shim {
namespace {

void note_library(events::Header& header) {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  PMPI_Get_library_version(text.data(), &length);
  std::string_view first(text.data());
  first = first.substr(0, first.find('\n'));
  events::copy_text(header.library, first);
}

/// The level of threads, in the order of the standard.
std::uint32_t thread_level() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) return 3;
  if (level == MPI_THREAD_SERIALIZED) return 2;
  return level == MPI_THREAD_FUNNELED ? 1 : 0;
}

/// What a setting says; where that is wrong rank 0 says so, and the program runs on without.
template <class Value, class Read>
Value read_or(Value without, const Read& read, const char* consequence) {
  try {
    return read();
  } catch (const error& failure) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fprintf(stderr, "%s; %s\n", failure.what(), consequence);
    return without;
  }
}

}  // namespace

void start_acting() {
  static bool has_started = false;
  if (std::exchange(has_started, true)) return;
  const auto mode = read_or(
      predict::Mode::off, [] { return predict::wanted_mode(predict::Mode::off); },
      "nothing is predicted");
  const auto bounced_bytes = read_or(
      std::int64_t{0}, [] { return base::setting::predict_bounce.integer(); },
      "nothing is received ahead");
  collectives::start_tuning();
  wait::start_waiting(mode, bounced_bytes > 0);
  ahead::start_predicting(mode, wait::is_on());
  ahead::start_bouncing(bounced_bytes, mode, wait::is_on());
  constexpr std::uint32_t multiple = 3;
  ahead::start_reporting(mode, thread_level() == multiple);
}

void note_initializing() {
  static bool is_noted = false;
  if (std::exchange(is_noted, true) || !entry::speaks_for_job()) return;
  std::filesystem::path path = record::recorder().file().path();
  write_library_settings(path.replace_extension(events::settings_suffix));
}

void note_initialized() {
  record::Recorder& recorder = record::recorder();
  events::Header& header = recorder.file().header();
  note_library(header);
  header.thread_level = thread_level();
  {
    const auto guard = recorder.lock();
    if (const record::Communicator* const world = known(MPI_COMM_WORLD)) {
      header.rank = world->rank;
      header.rank_count = world->own_size;
    }
  }
  // A session that has begun has a level of its own.
  const bool has_session = header.state == events::State::running;
  recorder.share_between_threads(has_session || header.thread_level == 3);
  header.state = events::State::running;
  recorder.record(true);
}

void note_session() {
  record::Recorder& recorder = record::recorder();
  events::Header& header = recorder.file().header();
  if (header.state != events::State::before) return;
  note_library(header);
  // What level a session has is its own matter, so that threads may call at once.
  header.thread_level = 3;
  recorder.share_between_threads(true);
  header.state = events::State::running;
  recorder.record(true);
}

bool begin_unseen() {
  int is_initialized = 0;
  int is_finalized = 0;
  PMPI_Initialized(&is_initialized);
  PMPI_Finalized(&is_finalized);
  if (is_initialized == 0 || is_finalized != 0) return false;
  note_initialized();
  return true;
}

void note_finalized() {
  record::Recorder& recorder = record::recorder();
  recorder.file().read_clocks();
  recorder.file().header().state = events::State::finalized;
  recorder.record(false);
}

void note_aborting(int code) {
  events::Header& header = record::recorder().file().header();
  header.abort_code = code;
  header.state = events::State::aborting;
}

}  // namespace tasuki::mpi::shim
