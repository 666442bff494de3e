// Which sanitizer this translation unit is built for: TASUKI_ASAN (address), TASUKI_TSAN (thread),
// or neither. For code that switches stacks and has to tell them. Thread-safety: macros only.
#pragma once

// GCC defines the first kind of name, Clang knows the second.
#if defined(__SANITIZE_ADDRESS__)
#define TASUKI_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TASUKI_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TASUKI_ASAN 1
#elif __has_feature(thread_sanitizer)
#define TASUKI_TSAN 1
#endif
#endif
