// Arrays of any number of dimensions, divided among the ranks of a team: by blocks, cyclic or
// block-cyclic along each dimension.
//
// The distributions are those of `distribute(...)` in interface files, so an Array can be made over
// the block that a served routine gets. Each rank has its block in its own memory, as a span; every
// rank reads and writes single elements of others by references. Operations named `local_` concern
// this rank's block; those that name no one element are collective.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/containers/agreed_layout.hpp>
#include <tasuki/detail/containers/array_file.hpp>
#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/detail/containers/block_indices.hpp>
#include <tasuki/detail/containers/common_parts.hpp>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/detail/containers/npy_header.hpp>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/global_ptr.hpp>
#include <tasuki/heap.hpp>
#include <tasuki/team.hpp>
#include <tasuki/team_array.hpp>
#include <utility>
#include <vector>

namespace tasuki {

using layout::Block;
using layout::BlockCyclic;
using layout::Cyclic;
using layout::Whole;

/// Elements are trivially copyable. Example: examples/array.cpp
///     // Rows in blocks, columns whole:
///     tasuki::Array<double> table({100, 30}, {tasuki::Block{}, tasuki::Whole{}});
///     table.for_all([](std::span<const std::int64_t> index, double& element) {
///       element = 1.0 * index[0] * index[1];
///     });
///     if (tasuki::rank() == 0) table.at(99, 29) = 7;  // on whatever rank it is
///     const double* const mine = table.local().data();
///     const bool is_mine = table.owner(99, 29) == table.team().rank();
///     const double last = table.pointer(99, 29).read();
///     table.local_for_all([](std::span<const std::int64_t>, double& element) { element *= 2; });
///     std::printf("%jd x %jd\n", table.extent(0), table.local_extent(1));
///     const std::int64_t elements_here = table.layout().local_count(table.team().rank());
template <class T>
class Array {
 public:
  using value_type = T;

  /// Value-initialised elements, each rank's next to each other, the last index fastest. The ranks
  /// are divided among the dimensions that are not Whole as evenly as possible. Collective over the
  /// team. Throws tasuki::error on all ranks if extents and distributions do not fit, or differ
  /// between ranks, or the heap of one has no room.
  Array(std::vector<std::int64_t> extents, std::vector<layout::Distribution> distributions,
        const Team& team = world_team())
      : Array(containers::agreed_layout(
                  [&] {
                    return containers::layout_of(std::move(extents), std::move(distributions),
                                                 sizeof(T), team.size());
                  },
                  sizeof(T), team),
              Own{}, team) {}
  /// The same for a layout of any grid and order.
  explicit Array(layout::ArrayLayout layout, const Team& team = world_team())
      : Array(containers::agreed_layout([&] { return std::move(layout); }, sizeof(T), team), Own{},
              team) {}
  /// Over a block of this rank that is there, that of a served routine say; it stays the caller's.
  /// It may be null if the rank has no elements.
  ///     const tasuki::layout::ArrayLayout rows({{100, tasuki::Block{}, tasuki::size()}},
  ///                                            tasuki::layout::Grid({tasuki::size()}), 8);
  ///     std::vector<double> block(rows.local_count(tasuki::rank()));
  ///     tasuki::Array<double> array(rows, block.data());
  Array(layout::ArrayLayout layout, T* block, const Team& team = world_team())
      : Array(containers::agreed_layout(
                  [&] {
                    containers::check_block(layout, sizeof(T), team, block);
                    return std::move(layout);
                  },
                  sizeof(T), team),
              Given{block}, team) {}
  /// Over an argument of a served routine; `described` is what tasuki_layout (tasuki/routines.h)
  /// says of the block. The ranks of the team are those of the routine.
  template <containers::BlockDescription Described>
  Array(const Described& described, T* block, const Team& team = world_team())
      : Array(containers::agreed_layout(
                  [&] {
                    const auto dimensions = static_cast<std::size_t>(described.dimensions);
                    layout::ArrayLayout layout = containers::described_layout(
                        {described.extents, dimensions}, {described.block_extents, dimensions},
                        {described.grid, dimensions}, sizeof(T));
                    containers::check_block(layout, sizeof(T), team, block);
                    return layout;
                  },
                  sizeof(T), team),
              Given{block}, team) {}
  /// Nobody may read or write this rank's elements any more.
  ~Array() {
    const bool is_job_over = runtime::Rank::current_or_null() == nullptr;
    if (!owns_ || is_job_over || blocks_.empty()) return;  // Empty: the constructor has thrown.
    delete_(blocks_[static_cast<std::size_t>(team_.rank())]);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const layout::ArrayLayout& layout() const noexcept { return layout_; }
  const Team& team() const noexcept { return team_; }
  std::int64_t extent(int dimension) const noexcept { return layout_.axis(dimension).extent(); }
  /// Of this rank's block.
  std::int64_t local_extent(int dimension) const {
    return layout_.local_extent(team_.rank(), dimension);
  }
  /// This rank's block, by ascending indices. If the array has allocated it, it ends with the job.
  std::span<T> local() noexcept { return local_; }
  std::span<const T> local() const noexcept { return local_; }

  // ---- one element, of any rank ---------------------------------------------------------------
  /// These throw tasuki::error if there is no such element.
  template <std::integral... Index>
  GlobalReference<T> at(Index... index) const {
    return *pointer(index...);
  }
  template <std::integral... Index>
  GlobalPtr<T> pointer(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> all{static_cast<std::int64_t>(index)...};
    const containers::Place place = containers::place_of(layout_, all);
    return blocks_[static_cast<std::size_t>(place.rank)] + place.offset;
  }
  /// Its rank, in the team.
  template <std::integral... Index>
  int owner(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> all{static_cast<std::int64_t>(index)...};
    return containers::place_of(layout_, all).rank;
  }

  // ---- all elements ---------------------------------------------------------------------------
  /// `f(index, element)` for each element of this rank, in the order of its memory; `index` is a
  /// std::span<const std::int64_t>. Throws tasuki::error if the block has ended with the job.
  template <class F>
  void local_for_all(F f) {
    if (owns_) static_cast<void>(runtime::Rank::current());
    containers::BlockIndices indices(layout_, team_.rank());
    for (T& element : local_) {
      f(indices.index(), element);
      indices.advance();
    }
  }
  /// The same on every rank, after all that any rank of the team has written before. Collective.
  template <class F>
  void for_all(F f) {
    barrier(team_);
    local_for_all(std::move(f));
  }
  /// Takes all elements of an array of the same extents that may be divided otherwise, by one
  /// exchange of all ranks. Collective. Throws on all ranks if the extents or the teams differ, or
  /// one has no room for what is exchanged.
  ///     tasuki::Array<int> rows({8, 8}, {tasuki::Block{}, tasuki::Whole{}});
  ///     tasuki::Array<int> columns({8, 8}, {tasuki::Whole{}, tasuki::Cyclic{}});
  ///     columns.assign(rows);
  void assign(const Array& other) {
    const auto [sent, packed, received, arrived] =
        containers::do_on_all("Array::assign", team_, [&] { return takeover(other); });
    const std::span<T> out(packed.get(), other.local_.size());
    const std::span<T> in(arrived.get(), local_.size());
    sent.pack(std::as_bytes(other.local_).data(), std::as_writable_bytes(out).data());
    alltoallv<T>(out, Blocks{sent.counts()}, in, Blocks{received.counts()}, team_);
    received.unpack(std::as_bytes(in).data(), std::as_writable_bytes(local_).data());
    barrier(team_);  // What a rank writes next must not be overwritten on one that comes later.
  }

  /// Writes a file that numpy.load reads, each rank its part of it. Collective. Throws the same
  /// tasuki::error on all ranks if that fails.
  ///     tasuki::Array<double> table({10, 10}, {tasuki::Cyclic{}, tasuki::Whole{}});
  ///     table.save_npy("tasuki-table.npy");
  ///     table.load_npy("tasuki-table.npy");
  ///     if (tasuki::rank() == 0) std::remove("tasuki-table.npy");
  void save_npy(const std::string& path) const {
    // In the file's order, so that each rank has one piece of it (two-phase I/O; Thakur, Gropp and
    // Lusk 1999).
    Array slabs(containers::slabs_of(layout_, layout_.order()), team_);
    slabs.assign(*this);
    containers::write_npy(path, npy_header(), slabs.layout_, std::as_bytes(slabs.local_), team_);
  }
  /// Takes all elements from a file that numpy.save has written, of the same extents and type.
  /// Collective. Throws the same tasuki::error on all ranks if that fails.
  void load_npy(const std::string& path) {
    containers::NpyFile file(path, npy_header(), team_);
    Array slabs(containers::slabs_of(layout_, file.order()), team_);
    file.read(slabs.layout_, std::as_writable_bytes(slabs.local_), team_);
    assign(slabs);
  }

 private:
  struct Own {};  ///< A block of the array's own.
  struct Given {
    T* block;
  };
  /// What assign exchanges, and room for it.
  struct Takeover {
    containers::CommonParts sent;
    std::unique_ptr<T[]> packed;
    containers::CommonParts received;
    std::unique_ptr<T[]> arrived;
  };

  Array(layout::ArrayLayout agreed, Own /*own*/, const Team& team)
      : Array(std::move(agreed), team, true) {
    const std::int64_t count = layout_.local_count(team_.rank());
    take_blocks(new_array<T>(static_cast<std::size_t>(count == 0 ? 1 : count), team_));
  }
  Array(layout::ArrayLayout agreed, Given given, const Team& team)
      : Array(std::move(agreed), team, false) {
    take_blocks(allgather(global_ptr(given.block), team_));
  }
  Array(layout::ArrayLayout agreed, const Team& team, bool owns)
      : layout_(std::move(agreed)), team_(team), owns_(owns) {
    static_assert(runtime::Bytewise<T>, "tasuki: elements of an Array must be trivially copyable.");
  }
  void take_blocks(std::vector<GlobalPtr<T>> blocks) {
    blocks_ = std::move(blocks);
    const auto rank = static_cast<std::size_t>(team_.rank());
    local_ = {blocks_[rank].raw(), static_cast<std::size_t>(layout_.local_count(team_.rank()))};
  }
  Takeover takeover(const Array& other) const {
    containers::check_same_extents(layout_, other.layout_, team_, other.team_);
    return {containers::CommonParts(other.layout_, team_.rank(), layout_),
            std::make_unique_for_overwrite<T[]>(other.local_.size()),
            containers::CommonParts(layout_, team_.rank(), other.layout_),
            std::make_unique_for_overwrite<T[]>(local_.size())};
  }
  containers::NpyHeader npy_header() const {
    return {containers::npy_type<T>(), layout_.order(), containers::extents_of(layout_)};
  }

  layout::ArrayLayout layout_;
  Team team_;
  bool owns_;
  std::span<T> local_;
  std::vector<GlobalPtr<T>> blocks_;  ///< By rank in the team.
};

}  // namespace tasuki
