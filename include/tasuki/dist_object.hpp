// Distributed objects: one T per rank, found by every rank under the same name.
//
// Every rank constructs its `DistObject<T>` in the same order; nobody waits for the others. `fetch`
// reads another rank's value, waiting until that rank has constructed it.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstdint>
#include <tasuki/call.hpp>
#include <utility>

namespace tasuki {
namespace runtime {

std::uint64_t register_dist_object(Rank& self, void* object);
void unregister_dist_object(Rank& self, std::uint64_t id) noexcept;
/// Waits until the object is registered here.
void* wait_for_dist_object(Rank& self, std::uint64_t id);

}  // namespace runtime

/// One T of each rank. Example: examples/dist_object.cpp
template <class T>
class DistObject {
 public:
  /// Collective in order, without waiting.
  template <class... Args>
  explicit DistObject(Args&&... args)
      : value_(std::forward<Args>(args)...),
        id_(runtime::register_dist_object(runtime::Rank::current(), &value_)) {}
  ~DistObject() {
    // A static one lives longer than the job.
    runtime::Rank* const self = runtime::Rank::current_or_null();
    if (self != nullptr) runtime::unregister_dist_object(*self, id_);
  }
  DistObject(const DistObject&) = delete;
  DistObject& operator=(const DistObject&) = delete;

  T& operator*() noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  /// A copy of `rank`'s value. That rank must not destroy it meanwhile (put a barrier before).
  Future<T> fetch(int rank) const {
    return tasuki::ainvoke(
        rank,
        [](std::uint64_t id) {
          return *static_cast<T*>(runtime::wait_for_dist_object(runtime::Rank::current(), id));
        },
        id_);
  }
  /// The same on all ranks.
  ///     std::printf("%ju\n", std::uintmax_t{tasuki::DistObject<int>(7).id()});
  std::uint64_t id() const noexcept { return id_; }

 private:
  T value_;
  std::uint64_t id_;
};

}  // namespace tasuki
