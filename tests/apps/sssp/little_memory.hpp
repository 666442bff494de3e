// Threads that have too little memory: in a program that includes this, a thread can be refused
// large blocks.
//
// Include it once in a program, for it replaces operator new. Thread-safety: each thread its own.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace tasuki::sssp {

/// While it lives, `new` of more bytes throws bad_alloc in this thread.
class LargestBlock {
 public:
  explicit LargestBlock(std::size_t bytes) { most_bytes = bytes; }
  ~LargestBlock() { most_bytes = SIZE_MAX; }
  LargestBlock(const LargestBlock&) = delete;
  LargestBlock& operator=(const LargestBlock&) = delete;

  static void* allocate(std::size_t bytes, std::size_t alignment) {
    if (bytes > most_bytes) throw std::bad_alloc();
    // Sizes that std::aligned_alloc takes are multiples of the alignment.
    void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }

 private:
  static inline thread_local std::size_t most_bytes = SIZE_MAX;
};

}  // namespace tasuki::sssp

void* operator new(std::size_t bytes) {
  return tasuki::sssp::LargestBlock::allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return tasuki::sssp::LargestBlock::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
