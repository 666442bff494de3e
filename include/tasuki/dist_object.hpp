// Distributed objects: one T per rank, found by every rank under the same name.
//
// Every rank constructs its `DistObject<T>` in the same order; nobody waits for the others. As the
// argument of a call, a DistObject, or an object of a class derived from it, arrives as that of the
// called rank. `fetch` reads another rank's value. Both wait until that rank has constructed it.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstdint>
#include <tasuki/call.hpp>
#include <type_traits>
#include <utility>

namespace tasuki {

template <class T>
class DistObject;

namespace runtime {

std::uint64_t register_dist_object(Rank& self, void* object);
void unregister_dist_object(Rank& self, std::uint64_t id) noexcept;
/// Waits until the object is registered here.
void* wait_for_dist_object(Rank& self, std::uint64_t id);

/// The DistObject that an Object is, or is derived from.
template <class T>
DistObject<T> base_dist_object(const volatile DistObject<T>*);
template <class Object>
concept Distributed = std::is_class_v<Object> && requires(const volatile Object* object) {
  base_dist_object(object);
};

/// What travels for an Object, and becomes that of the called rank there.
template <class Object>
class DistReference {
  using Base = decltype(base_dist_object(static_cast<Object*>(nullptr)));

 public:
  DistReference(const Object& object) : id_(static_cast<const Base&>(object).id()) {}
  /// That of this rank. Waits until it is made; throws tasuki::error if it is gone.
  operator Object&() const {
    void* const base = wait_for_dist_object(Rank::current(), id_);
    return static_cast<Object&>(*static_cast<Base*>(base));
  }

 private:
  std::uint64_t id_;
};
template <class Object>
struct HoldsAddress<DistReference<Object>> : std::false_type {};
template <Distributed Object>
struct Travels<Object> {
  using type = DistReference<Object>;
};

}  // namespace runtime

/// One T of each rank. It can be a member or a base class; what is derived from it is found from
/// when its DistObject has been constructed.
/// Example: examples/dist_object.cpp
template <class T>
class DistObject {
 public:
  /// Collective in order, without waiting.
  template <class... Args>
  explicit DistObject(Args&&... args)
      : value_(std::forward<Args>(args)...),
        id_(runtime::register_dist_object(runtime::Rank::current(), this)) {}
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
        rank, [](DistObject& theirs) { return theirs.value_; }, *this);
  }
  /// The same on all ranks.
  ///     std::printf("%ju\n", std::uintmax_t{tasuki::DistObject<int>(7).id()});
  std::uint64_t id() const noexcept { return id_; }

 private:
  T value_;
  std::uint64_t id_;
};

}  // namespace tasuki
