// Assertions: broken invariants of Tasuki itself abort with rank and location.
//
// TASUKI_ASSERT is always on and meant for cold paths; TASUKI_DEBUG_ASSERT exists in builds with
// TASUKI_DEBUG (preset `debug` and the sanitizer presets) and may stand in hot ones.
// Thread-safety: any thread.
#pragma once

namespace tasuki::base {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace tasuki::base

#define TASUKI_ASSERT(condition) \
  (static_cast<bool>(condition)  \
       ? static_cast<void>(0)    \
       : ::tasuki::base::assertion_failed(#condition, __FILE__, __LINE__))

#ifdef TASUKI_DEBUG
#define TASUKI_DEBUG_ASSERT(condition) TASUKI_ASSERT(condition)
#else
#define TASUKI_DEBUG_ASSERT(condition) static_cast<void>(0)
#endif
