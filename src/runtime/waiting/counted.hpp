// Something that is counted as long as it lives: the counter may be asked how many there are.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <utility>

namespace tasuki::runtime {

class Counted {
 public:
  /// `count` outlives this.
  explicit Counted(std::size_t& count) noexcept : count_(&count) { ++count; }
  Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  Counted& operator=(Counted&&) = delete;
  ~Counted() {
    if (count_ != nullptr) --*count_;
  }

 private:
  std::size_t* count_;
};

}  // namespace tasuki::runtime
