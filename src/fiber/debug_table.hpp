// What a debugger reads to list fibers: numbers with names, so that the script needs neither debug
// information nor the version of this library (tools/gdb/fibers.py).
//
// Scheduler makes an entry in the list of schedulers and fills the fields. Thread-safety: any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::fiber {

/// An address, an offset in bytes, or another number. The script knows it by its name.
struct DebugField {
  const char* name;
  std::uintptr_t number;
};

/// An entry in the list of all schedulers, for as long as it lives.
class DebuggedScheduler {
 public:
  explicit DebuggedScheduler(const void* scheduler);
  ~DebuggedScheduler();
  DebuggedScheduler(const DebuggedScheduler&) = delete;
  DebuggedScheduler& operator=(const DebuggedScheduler&) = delete;

  /// Notes the calling thread and its rank: they run the scheduler.
  void note_thread() noexcept;

  /// Makes the fields public: these of schedulers and fibers, and those of all else. The first call
  /// counts.
  void publish(std::span<const DebugField> fields_of_fibers) const;

 private:
  const void* scheduler_;
  DebuggedScheduler* next_ = nullptr;
  std::int64_t rank_ = -1;
  std::int64_t thread_ = 0;  ///< As the system numbers it.
};

/// Where `member` lies in `object`.
template <class Object, class Member>
std::uintptr_t offset_bytes(const Object& object, const Member& member) noexcept {
  return reinterpret_cast<std::uintptr_t>(&member) - reinterpret_cast<std::uintptr_t>(&object);
}

}  // namespace tasuki::fiber

/// nullptr until there is a scheduler; ends with a field without a name.
extern "C" const tasuki::fiber::DebugField* tasuki_debug_fields;
