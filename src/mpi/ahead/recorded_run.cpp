#include "mpi/ahead/recorded_run.hpp"

#include "events/event.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace tasuki::mpi::ahead {
namespace {

using events::Kind;

constexpr std::array waiting_kinds = {Kind::send,  Kind::receive,    Kind::wait,
                                      Kind::probe, Kind::collective, Kind::send_receive};

constexpr std::string_view suffix = ".events";

bool is_of(const events::Header& header, std::int32_t rank, std::int32_t ranks_count) {
  return std::memcmp(header.magic, events::file_magic, sizeof header.magic) == 0 &&
         header.version == events::file_version && header.recorded == events::Recorded::mpi &&
         header.rank == rank && header.rank_count == ranks_count;
}

std::vector<char> first_bytes(const std::filesystem::path& path, std::uint64_t count) {
  std::error_code failure;
  if (std::filesystem::file_size(path, failure) < count || failure) return {};
  std::vector<char> bytes(count);
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  return file ? bytes : std::vector<char>{};
}

/// What lies in the file at `offset`, at which anything may lie in memory. Zeros behind its end.
template <typename Entry>
Entry entry_at(const std::vector<char>& file, std::uint64_t offset, std::uint64_t index) {
  Entry entry{};
  const std::uint64_t begin = offset + index * sizeof entry;
  if (begin <= file.size() && file.size() - begin >= sizeof entry) {
    std::memcpy(&entry, file.data() + begin, sizeof entry);
  }
  return entry;
}

/// The file of the rank, up to the last event that was written.
std::vector<char> file_of(const std::filesystem::path& folder, std::int32_t rank,
                          std::int32_t ranks_count) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (!entry.path().native().ends_with(suffix)) continue;
    const std::vector<char> begin = first_bytes(entry.path(), events::header_bytes);
    const auto header = entry_at<events::Header>(begin, 0, 0);
    if (!is_of(header, rank, ranks_count)) continue;
    const std::uint64_t count = std::min(header.event_count, header.event_capacity);
    std::vector<char> all =
        first_bytes(entry.path(), header.events_offset + count * sizeof(events::Event));
    if (!all.empty()) return all;
  }
  throw error(fmt::format("reading the earlier run in {}", folder.native()),
              fmt::format("it has no events of rank {} of {}", rank, ranks_count),
              "record one with as many ranks, with TASUKI_PROFILE_FOLDER as that folder");
}

template <std::size_t Room>
std::string_view text_of(const char (&field)[Room]) {
  return {field, ::strnlen(field, Room)};
}

/// The name of a module's file: where the file lies may change.
std::string name_of(const std::string& module_path) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(module_path, failure);
  return (failure ? std::filesystem::path(module_path) : real).filename().native();
}

/// A call that waits, and returns when it need not wait any more.
bool is_wait(const events::FunctionEntry& function) {
  const bool is_among = std::find(waiting_kinds.begin(), waiting_kinds.end(),
                                  Kind{function.kind}) != waiting_kinds.end();
  return is_among && !text_of(function.name).starts_with("MPI_I");
}

bool has_message(Kind kind) {
  return kind == Kind::receive || kind == Kind::send_receive || kind == Kind::completed ||
         kind == Kind::collective_message;
}

predict::Arrival arrival_of(const events::Event& event, Kind kind, std::uint32_t world_number) {
  constexpr std::uint16_t world_index = 0;
  predict::Arrival arrival;
  arrival.message = {.source = event.source,
                     .tag = event.received_tag,
                     .communicator = event.communicator == world_index ? world_number : 0,
                     .kind = kind == Kind::collective_message ? predict::kind_in_collective : 0,
                     .message_bytes = static_cast<std::int64_t>(event.received_bytes)};
  arrival.receive.arguments = arrival.message;
  return arrival;
}

}  // namespace

RecordedRun::RecordedRun(const std::string& folder, std::int32_t rank, std::int32_t ranks_count,
                         std::uint32_t world_number) {
  constexpr double ns_per_second = 1e9;
  const std::vector<char> file = file_of(folder, rank, ranks_count);
  const auto header = entry_at<events::Header>(file, 0, 0);
  const std::vector<Site> sites = sites_of(file);
  const std::uint64_t count = std::min(header.event_count, header.event_capacity);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto event = entry_at<events::Event>(file, header.events_offset, i);
    if (event.leave_ticks == 0) continue;  // It has not returned.
    const auto function =
        entry_at<events::FunctionEntry>(file, header.functions_offset, event.function);
    const Kind kind{function.kind};
    if (has_message(kind) && event.source >= 0) {
      arrivals_.push_back(arrival_of(event, kind, world_number));
    }
    if (!is_wait(function) || event.site >= sites.size()) continue;
    const auto ticks = static_cast<double>(event.leave_ticks - event.enter_ticks);
    waits_ns_[sites[event.site]].push_back(
        static_cast<std::int64_t>(ticks * ns_per_second / header.ticks_per_second));
  }
}

std::vector<RecordedRun::Site> RecordedRun::sites_of(const std::vector<char>& file) {
  const auto header = entry_at<events::Header>(file, 0, 0);
  std::vector<Site> sites;
  for (std::uint32_t i = 0; i < header.site_count; ++i) {
    const auto site = entry_at<events::SiteEntry>(file, header.sites_offset, i);
    const auto module = entry_at<events::ModuleEntry>(file, header.modules_offset, site.module);
    sites.emplace_back(name_of(std::string(text_of(module.path))), site.address - module.base);
  }
  return sites;
}

RecordedRun::Cursor RecordedRun::cursor_of(const void* place) const {
  static const std::vector<std::int64_t> none;
  Dl_info module{};
  if (place == nullptr || ::dladdr(place, &module) == 0) return {&none};
  const auto offset =
      reinterpret_cast<std::uint64_t>(place) - reinterpret_cast<std::uint64_t>(module.dli_fbase);
  const auto found = waits_ns_.find({name_of(module.dli_fname), offset});
  return {found == waits_ns_.end() ? &none : &found->second};
}

std::optional<std::int64_t> RecordedRun::next_wait_ns(const void* place) {
  const auto known = cursors_.find(place);
  Cursor& cursor = known != cursors_.end()
                       ? known->second
                       : cursors_.emplace(place, cursor_of(place)).first->second;
  if (cursor.next >= cursor.waits_ns->size()) return std::nullopt;
  return (*cursor.waits_ns)[cursor.next++];
}

}  // namespace tasuki::mpi::ahead
