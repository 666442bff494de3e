#include "mpi/record/event_file.hpp"

#include "mpi/record/ticks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tasuki::mpi::record {
namespace {

// Programs have some hundred call sites and some ten communicators; a file is sparse.
constexpr std::uint32_t site_capacity = 65536;
constexpr std::uint32_t module_capacity = 1024;
constexpr std::uint32_t communicator_capacity = 16384;
constexpr std::size_t page_bytes = 4096;

constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Where each part of a file begins.
Header laid_out(std::uint64_t event_capacity, std::size_t function_count) {
  Header header{};
  std::memcpy(header.magic, file_magic, sizeof header.magic);
  header.version = file_version;
  header.rank = no_rank;
  header.process_id = static_cast<std::uint32_t>(::getpid());
  header.event_capacity = event_capacity;
  header.function_count = static_cast<std::uint32_t>(function_count);
  header.functions_offset = header_bytes;
  header.sites_offset =
      header.functions_offset + whole_pages(function_count * sizeof(FunctionEntry));
  header.modules_offset = header.sites_offset + whole_pages(site_capacity * sizeof(SiteEntry));
  header.communicators_offset =
      header.modules_offset + whole_pages(module_capacity * sizeof(ModuleEntry));
  header.events_offset =
      header.communicators_offset + whole_pages(communicator_capacity * sizeof(CommunicatorEntry));
  return header;
}

[[noreturn]] void cannot_make(const std::string& path) {
  throw error("recording the MPI calls", fmt::format("{}: {}", path, std::strerror(errno)),
              "give TASUKI_PROFILE_FOLDER a folder with room that all ranks may write");
}

}  // namespace

EventFile::EventFile(const std::string& folder, std::uint64_t event_capacity,
                     std::span<const FunctionName> functions) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  path_ = fmt::format("{}/{}-{}.events", folder, host.data(), ::getpid());
  const Header made = laid_out(event_capacity, functions.size());
  bytes_ = made.events_offset + event_capacity * sizeof(Event);
  const int file = ::open(path_.c_str(), O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) cannot_make(path_);
  void* const memory =
      ::ftruncate(file, static_cast<off_t>(bytes_)) == 0
          ? ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0)
          : MAP_FAILED;
  ::close(file);
  if (memory == MAP_FAILED) cannot_make(path_);
  ::madvise(memory, bytes_, MADV_DONTFORK);

  auto* const bytes = static_cast<std::byte*>(memory);
  const auto at = [bytes](std::uint64_t offset) { return static_cast<void*>(bytes + offset); };
  header_ = static_cast<Header*>(memory);
  functions_ = static_cast<FunctionEntry*>(at(made.functions_offset));
  sites_ = static_cast<SiteEntry*>(at(made.sites_offset));
  modules_ = static_cast<ModuleEntry*>(at(made.modules_offset));
  communicators_ = static_cast<CommunicatorEntry*>(at(made.communicators_offset));
  events_ = static_cast<Event*>(at(made.events_offset));
  *header_ = made;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    copy_text(functions_[i].name, functions[i].name);
    functions_[i].kind = functions[i].kind;
  }
  copy_text(header_->host, host.data());
  std::error_code failure;
  copy_text(header_->program, std::filesystem::read_symlink("/proc/self/exe", failure).string());
  header_->ticks_per_second = measured_ticks_per_second();
  header_->start_realtime_ns = realtime_ns();
  header_->start_monotonic_ns = monotonic_ns();
  header_->start_ticks = ticks_now();
}

EventFile::~EventFile() { ::munmap(header_, bytes_); }

void EventFile::read_clocks() noexcept {
  header_->last_monotonic_ns = monotonic_ns();
  header_->last_ticks = ticks_now();
}

std::uint32_t EventFile::module_of(const void* address) {
  Dl_info found{};
  if (::dladdr(address, &found) == 0 || found.dli_fname == nullptr) return module_capacity;
  const auto base = reinterpret_cast<std::uint64_t>(found.dli_fbase);
  std::uint32_t& count = header_->module_count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (modules_[i].base == base) return i;
  }
  if (count == module_capacity) return module_capacity;
  // The main program's name is as it was typed; the reader needs a path.
  std::error_code failure;
  const auto path = std::filesystem::canonical(found.dli_fname, failure);
  modules_[count].base = base;
  copy_text(modules_[count].path, failure ? std::string(header_->program) : path.string());
  return count++;
}

std::uint32_t EventFile::add_site(const void* address) {
  const std::uint32_t index = header_->site_count;
  if (index == site_capacity) return site_capacity - 1;
  sites_[index] = {reinterpret_cast<std::uint64_t>(address), module_of(address), 0};
  header_->site_count = index + 1;
  return index;
}

std::uint16_t EventFile::add_communicator(const CommunicatorEntry& entry) noexcept {
  const std::uint32_t index = header_->communicator_count;
  if (index == communicator_capacity) return no_communicator;
  communicators_[index] = entry;
  header_->communicator_count = index + 1;
  return static_cast<std::uint16_t>(index);
}

}  // namespace tasuki::mpi::record
