#include "fiber/debug_table.hpp"

#include <unistd.h>

#include <array>
#include <initializer_list>
#include <mutex>
#include <tasuki/detail/base/context.hpp>
#include <tasuki/detail/fiber/wait_reason.hpp>
#include <tasuki/error.hpp>
#include <vector>

[[gnu::used]] constinit const tasuki::fiber::DebugField* tasuki_debug_fields = nullptr;

namespace tasuki::fiber {
namespace {

std::mutex list_mutex;
DebuggedScheduler* first_scheduler = nullptr;

constexpr std::size_t kinds_count = static_cast<std::size_t>(WaitKind::yielded) + 1;
std::array<const char*, kinds_count> kind_texts;

std::uintptr_t number_of(WaitKind kind) { return static_cast<std::uintptr_t>(kind); }

void add_fields_of_reasons(std::vector<DebugField>& fields) {
  for (std::size_t kind = 0; kind < kinds_count; ++kind) {
    kind_texts[kind] = describe(static_cast<WaitKind>(kind));
  }
  const WaitReason reason;
  const Activity activity;
  for (const DebugField& field : std::initializer_list<DebugField>{
           {"reason.kind", offset_bytes(reason, reason.kind)},
           {"reason.rank", offset_bytes(reason, reason.rank)},
           {"reason.object", offset_bytes(reason, reason.object)},
           {"reason.function", offset_bytes(reason, reason.function)},
           {"activity.caller_rank", offset_bytes(activity, activity.caller_rank)},
           {"activity.function", offset_bytes(activity, activity.function)},
           {"activity.label", offset_bytes(activity, activity.label)},
           {"kinds.text", reinterpret_cast<std::uintptr_t>(kind_texts.data())},
           {"kinds.reply", number_of(WaitKind::reply)},
           {"kinds.sync_read", number_of(WaitKind::sync_read)},
           {"kinds.collective", number_of(WaitKind::collective)},
           {"kinds.future", number_of(WaitKind::future)},
           {"kinds.yielded", number_of(WaitKind::yielded)}}) {
    fields.push_back(field);
  }
}

void add_fields_of_contexts(std::vector<DebugField>& fields) {
  const base::SavedRegisters saved = base::saved_registers();
  fields.push_back(
      {"context.stack_pointer", reinterpret_cast<std::uintptr_t>(saved.stack_pointer)});
  fields.push_back({"context.bytes", saved.context_bytes});
  fields.push_back({"context.begins", saved.begins_offset_bytes});
  for (const base::SavedRegister& one : saved.registers) {
    fields.push_back({one.name, one.offset_bytes});
  }
}

}  // namespace

DebuggedScheduler::DebuggedScheduler(const void* scheduler) : scheduler_(scheduler) {
  const std::lock_guard lock(list_mutex);
  next_ = first_scheduler;
  first_scheduler = this;
}

DebuggedScheduler::~DebuggedScheduler() {
  const std::lock_guard lock(list_mutex);
  DebuggedScheduler** link = &first_scheduler;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

void DebuggedScheduler::note_thread() noexcept {
  rank_ = base::rank_for_messages();
  thread_ = ::gettid();
}

void DebuggedScheduler::publish(std::span<const DebugField> fields_of_fibers) const {
  const std::lock_guard lock(list_mutex);
  if (tasuki_debug_fields != nullptr) return;
  static std::vector<DebugField> fields(fields_of_fibers.begin(), fields_of_fibers.end());
  fields.push_back({"list.first", reinterpret_cast<std::uintptr_t>(&first_scheduler)});
  fields.push_back({"list.scheduler", offset_bytes(*this, scheduler_)});
  fields.push_back({"list.next", offset_bytes(*this, next_)});
  fields.push_back({"list.rank", offset_bytes(*this, rank_)});
  fields.push_back({"list.thread", offset_bytes(*this, thread_)});
  add_fields_of_reasons(fields);
  add_fields_of_contexts(fields);
  fields.push_back({nullptr, 0});
  tasuki_debug_fields = fields.data();
}

}  // namespace tasuki::fiber
