#include <tasuki/detail/containers/memory_box.hpp>

#include <tasuki/detail/base/copy_bytes.hpp>

namespace tasuki::containers {
namespace {

/// `count` runs of the size of a Word, which compilers copy by one instruction each.
template <class Word>
void copy_words(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from,
                std::ptrdiff_t from_stride, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, from, sizeof(Word));
    to += to_stride;
    from += from_stride;
  }
}

void copy_runs(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from,
               std::ptrdiff_t from_stride, std::size_t run_bytes, std::size_t count) noexcept {
  if (run_bytes == 8) return copy_words<std::uint64_t>(to, to_stride, from, from_stride, count);
  if (run_bytes == 4) return copy_words<std::uint32_t>(to, to_stride, from, from_stride, count);
  for (std::size_t i = 0; i < count; ++i) {
    base::copy_bytes(to, from, run_bytes);
    to += to_stride;
    from += from_stride;
  }
}

}  // namespace

std::size_t Box::count() const {
  std::size_t count = 1;
  for (std::size_t d = 0; d < lower.size(); ++d) count *= static_cast<std::size_t>(extent(d));
  return count;
}

bool Box::has(std::span<const std::int64_t> index) const {
  bool has = index.size() == lower.size();
  for (std::size_t d = 0; has && d < lower.size(); ++d) {
    has = lower[d] <= index[d] && index[d] < upper[d];
  }
  return has;
}

MemoryBox::MemoryBox(const Box& box, const ArrayMemory& memory)
    : run_bytes_(memory.element_bytes), bytes_(box.count() * memory.element_bytes) {
  const auto element_bytes = static_cast<std::ptrdiff_t>(memory.element_bytes);
  offset_bytes_ = memory.origin * element_bytes;
  std::vector<Loop> loops;
  for (const std::size_t d : memory.fastest) {
    const std::ptrdiff_t stride_bytes = memory.strides[d] * element_bytes;
    const auto count = static_cast<std::size_t>(box.extent(d));
    offset_bytes_ += box.lower[d] * stride_bytes;
    if (count == 1) continue;
    if (loops.empty() && stride_bytes == static_cast<std::ptrdiff_t>(run_bytes_)) {
      run_bytes_ *= count;
    } else {
      loops.push_back({count, stride_bytes});
    }
  }
  if (loops.empty()) return;
  inner_ = loops.front();
  outer_.assign(loops.begin() + 1, loops.end());
}

/// Calls `copy` with the offset of the first of each series of runs.
template <class Copy>
void MemoryBox::for_each_run(Copy copy) const noexcept {
  if (bytes_ == 0) return;
  std::size_t series_count = 1;
  for (const Loop& loop : outer_) series_count *= loop.count;
  for (std::size_t i = 0; i < series_count; ++i) {
    std::ptrdiff_t offset = offset_bytes_;
    std::size_t rest = i;
    for (const Loop& loop : outer_) {
      offset += static_cast<std::ptrdiff_t>(rest % loop.count) * loop.stride_bytes;
      rest /= loop.count;
    }
    copy(offset);
  }
}

std::byte* MemoryBox::pack(const std::byte* memory, std::byte* packed) const noexcept {
  for_each_run([&](std::ptrdiff_t offset) {
    copy_runs(packed, static_cast<std::ptrdiff_t>(run_bytes_), memory + offset, inner_.stride_bytes,
              run_bytes_, inner_.count);
    packed += inner_.count * run_bytes_;
  });
  return packed;
}

const std::byte* MemoryBox::unpack(const std::byte* packed, std::byte* memory) const noexcept {
  for_each_run([&](std::ptrdiff_t offset) {
    copy_runs(memory + offset, inner_.stride_bytes, packed, static_cast<std::ptrdiff_t>(run_bytes_),
              run_bytes_, inner_.count);
    packed += inner_.count * run_bytes_;
  });
  return packed;
}

}  // namespace tasuki::containers
