// The blocks of an Array of python/tasuki/ranks/array.py: a tasuki::Array whose elements only
// Python knows, as bytes.
//
// Made by array.py, which finds out what an index means; here are the layout, the memory of all
// ranks and what all do together.
//
// Thread-safety: the rank's own thread; not by a fiber that runs Python, except where said.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tasuki/containers/array.hpp>
#include <vector>

#include "python/array_description.hpp"

namespace tasuki::python {

class ArrayBlocks {
 public:
  /// Zeros, unless a block is given. Collective over the team, as all below without `const`, and
  /// save_npy. Throws tasuki::error on all ranks as tasuki::Array does, and if types differ or a
  /// block is given on some ranks only.
  ArrayBlocks(ArrayDescription description, std::optional<GivenBlock> given, const Team& team);

  void assign(const ArrayBlocks& other);
  void save_npy(const std::string& path) const;
  void load_npy(const std::string& path);
  void free();

  const layout::ArrayLayout& layout() const noexcept { return layout_; }
  const Team& team() const noexcept { return team_; }
  /// Of this rank. Throws tasuki::error, as the next, if the array has been freed.
  std::byte* block() const;
  std::uintptr_t address(int team_rank) const;

 private:
  /// A part of memory for each rank that begins with a line of the cache.
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  void allocate();
  layout::ArrayLayout slabs(layout::Order order) const;
  std::size_t local_bytes(const layout::ArrayLayout& layout) const;

  Team team_;
  std::string type_;
  layout::ArrayLayout layout_;
  std::optional<GivenBlock> given_;
  GlobalPtr<Line> own_;                    ///< Null if the block is given.
  std::vector<std::uintptr_t> addresses_;  ///< Of the blocks, by rank in the team; none once freed.
};

void bind_array_blocks(nanobind::module_& module);

}  // namespace tasuki::python
