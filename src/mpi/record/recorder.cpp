#include "mpi/record/recorder.hpp"

#include <pthread.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>

namespace tasuki::mpi::record {
namespace {

constinit Recorder* of_process = nullptr;

/// A child has no part of its parent's file, and MPI does not work in it either.
void stop_in_child() {
  static Recorder off;
  of_process = &off;
}

}  // namespace

Recorder& recorder() noexcept {
  if (of_process == nullptr) [[unlikely]] {
    // Never destroyed: a program may call MPI while its own static objects are destroyed.
    alignas(Recorder) static std::array<std::byte, sizeof(Recorder)> room;
    of_process = new (room.data()) Recorder;
  }
  return *of_process;
}

void Recorder::start(std::span<const events::FunctionName> functions) {
  try {
    const std::string folder = base::setting::profile_folder.text();
    if (folder.empty()) return;
    const auto capacity = static_cast<std::uint64_t>(base::setting::profile_events.integer());
    file_ = std::make_unique<events::EventFile>(folder, capacity, functions, events::Recorded::mpi);
    const auto is_message = [](const events::FunctionName& function) {
      return events::Kind{function.kind} == events::Kind::collective_message;
    };
    const auto message = std::find_if(functions.begin(), functions.end(), is_message);
    collective_message_ = static_cast<std::uint16_t>(message - functions.begin());
    ::pthread_atfork(nullptr, nullptr, stop_in_child);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n  The program runs on without a profile.\n", failure.what());
  }
}

void Recorder::share_between_threads(bool is_shared) noexcept {
  is_shared_ = is_shared;
  if (file_) file_->share_between_threads(is_shared);
}

std::uint16_t Recorder::thread_number() noexcept {
  static std::atomic<std::uint16_t> thread_count = 0;
  thread_local const std::uint16_t number = thread_count++;
  return number;
}

std::uint16_t Recorder::number_of_algorithm(const char* name) noexcept {
  const auto guard = lock();
  const auto [place, is_new] = algorithms_.try_emplace(name);
  if (is_new) place->second = file_->add_function(name, events::Kind::algorithm);
  return place->second;
}

std::uint32_t Recorder::add_site(const void* address) noexcept {
  const auto guard = lock();
  if (const auto site = sites_.find(address)) return *site;
  const std::uint32_t site = file_->add_site(address);
  sites_.add(address, site);
  return site;
}

void Recorder::count_only(const events::Event& event) noexcept {
  const auto guard = lock();
  file_->count(event);
}

}  // namespace tasuki::mpi::record
