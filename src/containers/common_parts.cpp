#include <tasuki/detail/containers/common_parts.hpp>

#include <algorithm>
#include <cstring>

namespace tasuki::containers {

using layout::ArrayLayout;
using layout::Axis;
using layout::IndexRun;

CommonParts::CommonParts(const ArrayLayout& mine, int my_rank, const ArrayLayout& theirs)
    : theirs_(theirs),
      strides_(static_cast<std::size_t>(mine.dimensions())),
      runs_(strides_.size()),
      element_bytes_(static_cast<std::size_t>(mine.element_bytes())) {
  std::int64_t stride = 1;
  for (int n = 0; n < mine.dimensions(); ++n) {
    const int dimension = mine.nth_fastest(n);
    strides_[static_cast<std::size_t>(dimension)] = stride;
    stride *= mine.local_extent(my_rank, dimension);
  }
  for (std::size_t d = 0; d < runs_.size(); ++d) {
    const Axis& my_axis = mine.axis(static_cast<int>(d));
    const Axis& their_axis = theirs.axis(static_cast<int>(d));
    runs_[d].resize(static_cast<std::size_t>(their_axis.processes()));
    for (const IndexRun& run : my_axis.runs(mine.process(my_rank, static_cast<int>(d)))) {
      const std::int64_t end = run.global_begin + run.extent;
      for (std::int64_t global = run.global_begin; global < end;) {
        const std::int64_t block = their_axis.block_extent();
        const std::int64_t next = std::min(end, (global / block + 1) * block);
        Runs& found = runs_[d][static_cast<std::size_t>(their_axis.owner(global))];
        const std::int64_t local = run.local_begin + global - run.global_begin;
        const bool goes_on = !found.empty() && found.back().begin + found.back().extent == local;
        if (goes_on) {
          found.back().extent += next - global;
        } else {
          found.push_back({local, next - global});
        }
        global = next;
      }
    }
  }
}

const CommonParts::Runs& CommonParts::runs(int their_rank, std::size_t dimension) const {
  const int process = theirs_.process(their_rank, static_cast<int>(dimension));
  return runs_[dimension][static_cast<std::size_t>(process)];
}

std::size_t CommonParts::count(int their_rank) const {
  std::size_t count = 1;
  for (std::size_t d = 0; d < runs_.size(); ++d) {
    std::int64_t extent = 0;
    for (const Run& run : runs(their_rank, d)) extent += run.extent;
    count *= static_cast<std::size_t>(extent);
  }
  return count;
}

std::vector<std::size_t> CommonParts::counts() const {
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < theirs_.ranks(); ++rank) counts.push_back(count(rank));
  return counts;
}

template <class Copy>
void CommonParts::walk(int their_rank, std::size_t dimension, std::int64_t offset,
                       Copy& copy) const {
  if (dimension == runs_.size()) return copy(offset, 1);
  const std::int64_t stride = strides_[dimension];
  for (const Run& run : runs(their_rank, dimension)) {
    const std::int64_t begin = offset + run.begin * stride;
    if (dimension + 1 == runs_.size() && stride == 1) {
      copy(begin, run.extent);
      continue;
    }
    for (std::int64_t i = 0; i < run.extent; ++i) {
      walk(their_rank, dimension + 1, begin + i * stride, copy);
    }
  }
}

template <class Copy>
void CommonParts::for_each_run(int their_rank, Copy copy) const {
  const auto copy_bytes = [&](std::int64_t offset, std::int64_t extent) {
    copy(static_cast<std::size_t>(offset) * element_bytes_,
         static_cast<std::size_t>(extent) * element_bytes_);
  };
  if (count(their_rank) != 0) walk(their_rank, 0, 0, copy_bytes);
}

void CommonParts::pack(const std::byte* block, std::byte* packed) const {
  for (int rank = 0; rank < theirs_.ranks(); ++rank) {
    for_each_run(rank, [&](std::size_t offset_bytes, std::size_t bytes) {
      std::memcpy(packed, block + offset_bytes, bytes);
      packed += bytes;
    });
  }
}

void CommonParts::unpack(const std::byte* packed, std::byte* block) const {
  for (int rank = 0; rank < theirs_.ranks(); ++rank) {
    for_each_run(rank, [&](std::size_t offset_bytes, std::size_t bytes) {
      std::memcpy(block + offset_bytes, packed, bytes);
      packed += bytes;
    });
  }
}

}  // namespace tasuki::containers
