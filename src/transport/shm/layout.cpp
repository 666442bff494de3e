#include "transport/shm/layout.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <bit>

namespace tasuki::transport::shm {
namespace {

static_assert(base::setting::ring_bytes.range.least == ring_min_bytes);

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Layout::Layout(int size, std::size_t ring_bytes, std::size_t heap_max_bytes)
    : size_(size),
      ring_bytes_(ring_bytes),
      heap_max_bytes_(round_up(heap_max_bytes, huge_page_bytes)) {
  const base::Setting& setting = base::setting::ring_bytes;
  if (!std::has_single_bit(ring_bytes) ||
      !setting.range.contains(static_cast<std::int64_t>(ring_bytes))) {
    throw error("laying out the job's memory",
                fmt::format("{} = {} is not a power of two {}", setting.name, ring_bytes,
                            setting.range_text()),
                "set it to such a value or leave it unset");
  }
  if (heap_max_bytes == 0) {
    throw error("laying out the job's memory",
                fmt::format("{} is 0", base::setting::heap_max_bytes.name),
                "set it to at least 1 or leave it unset");
  }
}

Layout Layout::from_settings(int size) {
  return Layout(size, static_cast<std::size_t>(base::setting::ring_bytes.integer()),
                static_cast<std::size_t>(base::setting::heap_max_bytes.integer()));
}

std::size_t Layout::scratch_offset() const noexcept {
  return round_up(record_offset(size_), page_bytes);
}

std::size_t Layout::inbox_head_bytes() const noexcept {
  return round_up(index(size_) * sizeof(RingConsumed) + openers_words() * sizeof(std::uint64_t),
                  page_bytes);
}

std::size_t Layout::inbox_bytes() const noexcept {
  return inbox_head_bytes() + index(size_) * ring_bytes_;
}

std::size_t Layout::inbox_offset(int reader) const noexcept {
  return scratch_offset() + scratch_bytes() + index(reader) * inbox_bytes();
}

std::size_t Layout::ring_offset(int reader, int writer) const noexcept {
  return inbox_offset(reader) + inbox_head_bytes() + index(writer) * ring_bytes_;
}

std::size_t Layout::heap_offset(int rank) const noexcept {
  return round_up(inbox_offset(size_), huge_page_bytes) + index(rank) * heap_max_bytes_;
}

}  // namespace tasuki::transport::shm
