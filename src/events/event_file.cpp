#include "events/event_file.hpp"

#include "base/host_name.hpp"
#include "events/ticks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <tasuki/detail/base/file_size_limit.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tasuki::events {
namespace {

// Programs have some hundred call sites and some ten communicators; a file is sparse.
// The functions that are called and waited for, which nobody knows before.
constexpr std::size_t added_function_capacity = 1024;
constexpr std::uint32_t site_capacity = 65536;
constexpr std::uint32_t module_capacity = 1024;
constexpr std::uint32_t communicator_capacity = 16384;
constexpr std::size_t page_bytes = 4096;
// 64 KiB, for which the kernel needs 40 us on a virtual machine (tmpfs, Linux 6.18, November 2026):
// as long as for the page faults that this saves. Larger pieces delay single calls for longer.
constexpr std::uint64_t events_of_a_piece = 1024;
constexpr std::uint32_t entries_of_a_piece = 256;

constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Where each part of a file begins.
Header laid_out(std::uint64_t event_capacity, std::size_t function_count, Recorded recorded) {
  Header header{};
  std::memcpy(header.magic, file_magic, sizeof header.magic);
  header.version = file_version;
  header.rank = no_rank;
  header.recorded = recorded;
  header.process_id = static_cast<std::uint32_t>(::getpid());
  header.event_capacity = event_capacity;
  header.function_count = static_cast<std::uint32_t>(function_count);
  header.functions_offset = header_bytes;
  header.sites_offset =
      header.functions_offset +
      whole_pages((function_count + added_function_capacity) * sizeof(FunctionEntry));
  header.modules_offset = header.sites_offset + whole_pages(site_capacity * sizeof(SiteEntry));
  header.communicators_offset =
      header.modules_offset + whole_pages(module_capacity * sizeof(ModuleEntry));
  header.events_offset =
      header.communicators_offset + whole_pages(communicator_capacity * sizeof(CommunicatorEntry));
  return header;
}

[[noreturn]] void cannot_make(const std::string& path) {
  throw error("recording calls", fmt::format("{}: {}", path, std::strerror(errno)),
              "give TMPDIR (without tasuki profile: TASUKI_PROFILE_FOLDER) a folder with room "
              "that all ranks may write");
}

/// Lets the kernel find memory for a part of the file, so that a store into it cannot fail. Linux
/// before 5.14 cannot be asked: there a full file system still ends the process.
bool has_memory(const void* begin, std::size_t bytes) noexcept {
  const auto system_page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = address / system_page_bytes * system_page_bytes;
  int result = 0;
  do {
    result =
        ::madvise(reinterpret_cast<void*>(first), address + bytes - first, MADV_POPULATE_WRITE);
  } while (result != 0 && (errno == EINTR || errno == EAGAIN));
  return result == 0 || errno == EINVAL;
}

/// Takes fewer events where files may not be larger: beyond the limit the kernel ends the process
/// (SIGXFSZ). Returns whether there is room for any.
bool keeps_to_size_limit(Header& header) noexcept {
  const std::uint64_t limit_bytes = base::file_size_limit_bytes();
  if (limit_bytes <= header.events_offset) return false;
  const std::uint64_t most = (limit_bytes - header.events_offset) / sizeof(Event);
  header.event_capacity = std::min(header.event_capacity, most);
  return true;
}

/// Opens a file that nobody has yet: processes of one host can have the same number, one after the
/// other or in containers.
int open_new(const std::string& folder, const std::string& host, std::string& path) {
  int file = -1;
  for (int number = 1; file < 0; ++number) {
    const std::string more = number > 1 ? fmt::format("-{}", number) : "";
    path = fmt::format("{}/{}-{}{}.events", folder, host, ::getpid(), more);
    file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST) cannot_make(path);
  }
  return file;
}

}  // namespace

EventFile::EventFile(const std::string& folder, std::uint64_t event_capacity,
                     std::span<const FunctionName> functions, Recorded recorded)
    : function_capacity_(functions.size() + added_function_capacity) {
  const std::string host = base::host_name();
  Header made = laid_out(event_capacity, functions.size(), recorded);
  if (!keeps_to_size_limit(made)) {
    errno = EFBIG;
    cannot_make(folder);
  }
  make_file(folder, host, made);
  if (!has_memory(header_, made.sites_offset) || !has_room(site_room_, sites_, 0, site_capacity) ||
      !has_room(module_room_, modules_, 0, module_capacity) ||
      !has_room(communicator_room_, communicators_, 0, communicator_capacity)) {
    ::munmap(header_, bytes_);
    ::unlink(path_.c_str());
    errno = ENOSPC;
    cannot_make(path_);
  }
  *header_ = made;
  write_names(functions, host);
  header_->ticks_per_second = measured_ticks_per_second();
  header_->start_realtime_ns = realtime_ns();
  header_->start_monotonic_ns = monotonic_ns();
  header_->start_ticks = ticks_now();
}

void EventFile::make_file(const std::string& folder, const std::string& host,
                          const Header& laid_out) {
  const int file = open_new(folder, host, path_);
  bytes_ = laid_out.events_offset + laid_out.event_capacity * sizeof(Event);
  void* const memory =
      ::ftruncate(file, static_cast<off_t>(bytes_)) == 0
          ? ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
          : MAP_FAILED;
  const int failure = errno;
  ::close(file);
  if (memory == MAP_FAILED) {
    ::unlink(path_.c_str());
    errno = failure;
    cannot_make(path_);
  }
  ::madvise(memory, bytes_, MADV_DONTFORK);

  auto* const bytes = static_cast<std::byte*>(memory);
  const auto at = [bytes](std::uint64_t offset) { return static_cast<void*>(bytes + offset); };
  header_ = static_cast<Header*>(memory);
  functions_ = static_cast<FunctionEntry*>(at(laid_out.functions_offset));
  sites_ = static_cast<SiteEntry*>(at(laid_out.sites_offset));
  modules_ = static_cast<ModuleEntry*>(at(laid_out.modules_offset));
  communicators_ = static_cast<CommunicatorEntry*>(at(laid_out.communicators_offset));
  events_ = static_cast<Event*>(at(laid_out.events_offset));
}

void EventFile::write_names(std::span<const FunctionName> functions, const std::string& host) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    copy_text(functions_[i].name, functions[i].name);
    functions_[i].kind = functions[i].kind;
  }
  copy_text(header_->host, host);
  std::error_code failure;
  copy_text(header_->program, std::filesystem::read_symlink("/proc/self/exe", failure).string());
}

EventFile::~EventFile() { ::munmap(header_, bytes_); }

void EventFile::count(const Event& event) noexcept {
  FunctionEntry& function = functions_[event.function];
  ++function.calls;
  function.ticks += event.leave_ticks - event.enter_ticks;
  function.sent_bytes += event.sent_bytes;
  function.received_bytes += event.received_bytes;
}

void EventFile::read_clocks() noexcept {
  header_->last_monotonic_ns = monotonic_ns();
  header_->last_ticks = ticks_now();
}

Event* EventFile::append_to_new_piece(std::uint64_t index) noexcept {
  const std::scoped_lock guard(growth_);
  std::uint64_t room = event_room_.load(std::memory_order_relaxed);
  while (index >= room && room < header_->event_capacity) {
    const std::uint64_t count = std::min(events_of_a_piece, header_->event_capacity - room);
    if (!has_memory(events_ + room, count * sizeof(Event))) {
      std::fprintf(stderr,
                   "tasuki: %s: there is no room for more events; what the program calls from now "
                   "on\n  is counted only; set TMPDIR to a folder with more room\n",
                   path_.c_str());
      header_->event_capacity = room;
      break;
    }
    room += count;
    event_room_.store(room, std::memory_order_relaxed);
    read_clocks();
  }
  return index < room ? &events_[index] : nullptr;
}

template <typename Entry>
bool EventFile::has_room(std::uint32_t& room, Entry* entries, std::uint32_t index,
                         std::uint32_t capacity) noexcept {
  if (index < room) return true;
  const std::uint32_t count = std::min(entries_of_a_piece, capacity - room);
  if (count == 0 || !has_memory(entries + room, count * sizeof(Entry))) return false;
  room += count;
  return true;
}

std::uint16_t EventFile::add_function(std::string_view name, Kind kind) noexcept {
  std::uint32_t& count = header_->function_count;
  if (count == function_capacity_) return static_cast<std::uint16_t>(count - 1);
  FunctionEntry& entry = functions_[count];
  copy_text(entry.name, count + 1 == function_capacity_ ? "others" : name);
  entry.kind = static_cast<std::uint8_t>(kind);
  return static_cast<std::uint16_t>(count++);
}

std::uint32_t EventFile::module_of(const void* address) {
  Dl_info found{};
  if (::dladdr(address, &found) == 0 || found.dli_fname == nullptr) return module_capacity;
  const auto base = reinterpret_cast<std::uint64_t>(found.dli_fbase);
  std::uint32_t& count = header_->module_count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (modules_[i].base == base) return i;
  }
  if (!has_room(module_room_, modules_, count, module_capacity)) return module_capacity;
  // The main program's name is as it was typed; the reader needs a path.
  std::error_code failure;
  const auto path = std::filesystem::canonical(found.dli_fname, failure);
  modules_[count].base = base;
  copy_text(modules_[count].path, failure ? std::string(header_->program) : path.string());
  return count++;
}

std::uint32_t EventFile::add_site(const void* address) {
  const std::uint32_t index = header_->site_count;
  if (!has_room(site_room_, sites_, index, site_capacity)) return index - 1;
  sites_[index] = {reinterpret_cast<std::uint64_t>(address), module_of(address), 0};
  header_->site_count = index + 1;
  return index;
}

std::uint16_t EventFile::add_communicator(const CommunicatorEntry& entry) noexcept {
  const std::uint32_t index = header_->communicator_count;
  if (!has_room(communicator_room_, communicators_, index, communicator_capacity)) {
    return no_communicator;
  }
  communicators_[index] = entry;
  header_->communicator_count = index + 1;
  return static_cast<std::uint16_t>(index);
}

}  // namespace tasuki::events
