// Arrays that clients have left on this rank, for later calls to use.
//
// Owned by the rank's service; every rank keeps the same ones, as all serve the same calls.
// Thread-safety: none; the thread that runs routines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tasuki/detail/layout/array_layout.hpp>

#include "rpc/interface/module.hpp"
#include "rpc/links/lost_array.hpp"
#include "rpc/rank/block_memory.hpp"
#include "rpc/rank/discarded_names.hpp"
#include "rpc/rank/keep_limit.hpp"
#include "rpc/rank/kept_owner.hpp"

namespace tasuki::rpc {

class KeptArrays {
 public:
  /// Requires: `limit` outlives it.
  explicit KeptArrays(KeepLimit& limit) : limit_(limit) {}

  /// Is there one of this name, whosever it is?
  bool contains(const std::string& id) const { return arrays_.contains(id); }
  /// Returns: why the client to whom the rank is leased may not leave such an array, a LostArray or
  /// an error of quota_kind; nothing if it may. Every rank says the same.
  std::optional<Lost> refusal(const std::string& id, const layout::ArrayLayout& layout) const;
  /// Requires: refusal() has just said nothing. Returns: its bytes on all ranks.
  std::int64_t keep(const std::string& id, Number number, const layout::ArrayLayout& layout,
                    BlockMemory::Piece block);
  /// Returns: the block. Throws LostArray if the client's user has no such array, or it is of
  /// another type than `number` or lies otherwise than `layout`: on every rank alike.
  void* find(const std::string& id, Number number, const layout::ArrayLayout& layout) const;
  /// Does nothing if the client's user has no such array.
  void free(const std::string& id);
  /// Frees it, as the front end wants it; `happened` is why, for calls that name it later. Does
  /// nothing if it is not there.
  void discard(const std::string& id, const std::string& happened);
  /// The rank is leased to `owner`; the arrays of the clients in `gone` are freed.
  void lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone);

 private:
  struct Kept {
    KeptOwner owner;
    Number number;
    layout::ArrayLayout layout;
    BlockMemory::Piece block;
  };
  using Arrays = std::map<std::string, Kept>;
  void erase(Arrays::iterator array);

  KeepLimit& limit_;
  KeptOwner owner_;
  Arrays arrays_;
  DiscardedNames discarded_;
};

}  // namespace tasuki::rpc
