// Global pointers: an address on a rank, to be read, written and called through from any rank.
//
// A `GlobalPtr<T>` is a plain value that may be sent anywhere. Reads and writes need a trivially
// copyable T; any object can be called through one (`invoke(pointer, &T::method, args...)`). It may
// point to any memory of its rank; memory from `new_` and `new_array` is the quickest, because
// peers on the same node address it directly. Words have atomic operations
// (atomic_operations.hpp).
//
// Writes return when their source may be reused, and are visible at the target at the latest when
// `fence()` or a barrier returns, or the future of an async form is ready. docs/guide/ordering.md
// has the whole story.
//
// Thread-safety: values; operations from the rank's own thread only.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <tasuki/atomic_operations.hpp>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/detail/runtime/memory/scattered.hpp>
#include <type_traits>
#include <utility>

namespace tasuki {

template <class T>
class GlobalPtr;

template <class T>
class Sync;

namespace runtime {
/// A global pointer means the same on every rank, whatever it points to.
template <class T>
struct HoldsAddress<GlobalPtr<T>> : std::false_type {};
/// As for raw pointers: T* becomes U*. Not from a virtual base, which only the object itself knows.
template <class From, class To>
concept PointerConvertible = !std::is_same_v<From, To> && std::is_convertible_v<From*, To*> &&
                             requires(const volatile To* pointer) {
  static_cast<const volatile From*>(pointer);
};
}  // namespace runtime

/// Stands for the object behind a GlobalPtr: reading it is a remote read, assigning a remote write.
/// A word also has atomic operations: `table[i].fetch_add(1)`.
/// Example: examples/global_pointers.cpp
template <class T>
class GlobalReference : public AtomicOperations<GlobalReference<T>, T> {
 public:
  explicit GlobalReference(GlobalPtr<T> pointer) : pointer_(pointer) {}
  operator std::remove_const_t<T>() const { return pointer_.read(); }
  const GlobalReference& operator=(const T& value) const {
    pointer_.write(value);
    return *this;
  }
  const GlobalReference& operator=(const GlobalReference& other) const {
    pointer_.write(other.pointer_.read());
    return *this;
  }
  GlobalPtr<T> operator&() const { return pointer_; }
  /// For the library.
  runtime::RemoteAddress internal_place() const { return pointer_.internal_place(); }

 private:
  GlobalPtr<T> pointer_;
};

/// Where an object is: its rank, and the address there. Like a raw pointer it converts to one to
/// const and to one to a base class, can be compared, hashed (std::hash) and written to streams.
/// All null pointers are equal. Example: examples/global_pointers.cpp
///     int variable = 7;
///     const tasuki::GlobalPtr<int> mine = tasuki::global_ptr(&variable);
///     if (!mine.is_null() && mine.rank() == tasuki::rank()) *mine.local() = *mine.raw() + 1;
///     const tasuki::GlobalPtr<const int> to_read = mine;  // has no write
///     if (to_read != nullptr) std::printf("%d\n", to_read.read());
template <class T>
class GlobalPtr : public AtomicOperations<GlobalPtr<T>, T> {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  GlobalPtr() = default;
  GlobalPtr(std::nullptr_t) noexcept {}
  /// `address` is one of `rank`'s own addresses.
  GlobalPtr(int rank, T* address) noexcept
      : rank_(rank), negated_(-reinterpret_cast<std::uintptr_t>(address)) {}
  template <class From>
  requires runtime::PointerConvertible<From, T> GlobalPtr(const GlobalPtr<From>& other)
  noexcept : GlobalPtr(other.rank(), static_cast<T*>(other.raw())) {}

  int rank() const noexcept { return rank_; }
  bool is_null() const noexcept { return negated_ == 0; }
  explicit operator bool() const noexcept { return !is_null(); }
  /// The address as its own rank sees it.
  T* raw() const noexcept { return reinterpret_cast<T*>(-negated_); }
  /// Where this process can address the object, or nullptr: always on its own rank, and for heap
  /// memory of ranks on the same node.
  T* local() const {
    return reinterpret_cast<T*>(
        runtime::local_view(runtime::Rank::current(), internal_place(), sizeof(T), "local()"));
  }

  // ---- one object ---------------------------------------------------------------------------
  /// The future of `write_async` is ready when the value is visible at the target.
  ///     const auto word = tasuki::new_<int>(1);
  ///     word.write(word.read() + 1);
  ///     word.write_async(3).get();
  ///     const int three = word.read_async().get();
  value_type read() const {
    alignas(T) std::byte storage[sizeof(T)];
    get_bytes(storage, 1);
    return *reinterpret_cast<T*>(storage);
  }
  void write(const T& value) const { put_bytes(&value, 1); }
  Future<value_type> read_async() const {
    alignas(T) std::byte storage[sizeof(T)];
    if (get_known_bytes(storage)) return ready_future(*reinterpret_cast<value_type*>(storage));
    auto box = std::make_unique<value_type>();
    value_type* into = box.get();
    return nread_async(into, 1).then([box = std::move(box)] { return *box; });
  }
  Future<void> write_async(const T& value) const {
    auto box = std::make_unique<T>(value);
    const T* from = box.get();
    return nwrite_async(from, 1).then([box = std::move(box)] {});
  }
  GlobalReference<T> operator*() const { return GlobalReference<T>(*this); }
  GlobalReference<T> operator[](std::ptrdiff_t index) const { return *(*this + index); }

  // ---- arrays: `count` elements -------------------------------------------------------------
  ///     const auto words = tasuki::new_array<int>(100);
  ///     std::vector<int> mine(100, 7), copy(100);
  ///     words.nwrite(mine.data(), 100);  // words.nwrite_async(...).get() waits for the target
  ///     words.nread(copy.data(), 100);   // words.nread_async(...) is a future
  void nread(value_type* into, std::size_t count) const { get_bytes(into, count); }
  void nwrite(const T* from, std::size_t count) const { put_bytes(from, count); }
  Future<void> nread_async(value_type* into, std::size_t count) const {
    require_bytewise();
    return runtime::get_async(self(), internal_place(),
                              {reinterpret_cast<std::byte*>(into), bytes_of(count)});
  }
  /// `from` must stay unchanged until the future is ready.
  Future<void> nwrite_async(const T* from, std::size_t count) const {
    require_writable();
    return runtime::put_async(self(), internal_place(), bytes_at(from, count));
  }
  /// Writes, then adds `increment` to the counter `signal` of the same rank: whoever sees the
  /// counter's new value there sees the data. Requires: signal.rank() == rank().
  /// Example: examples/put_signal.cpp
  void nwrite_signal(const T* from, std::size_t count, GlobalPtr<std::uint64_t> signal,
                     std::uint64_t increment = 1) const {
    require_writable();
    runtime::put_signal(self(), internal_place(), bytes_at(from, count), signal.internal_place(),
                        increment);
  }

  // ---- strided and indexed: `count` blocks of `block` elements, all in one array ---------------
  /// Consecutive blocks start `remote_stride` elements apart at the target and `local_stride` here.
  /// Of blocks that overlap the last one remains. Where futures are returned, `from` must stay
  /// unchanged until then. Signals are those of nwrite_signal.
  ///     const auto matrix = tasuki::new_array<double>(8 * 8);
  ///     const auto arrived = tasuki::new_<std::uint64_t>(0U);
  ///     std::vector<double> column(8);
  ///     matrix.nread_strided(column.data(), 1, 8, 8, 1);
  ///     (matrix + 1).nwrite_strided(column.data(), 1, 8, 8, 1);  // the second column
  ///     (matrix + 2).nwrite_strided_signal(column.data(), 1, 8, 8, 1, arrived);
  void nread_strided(value_type* into, std::size_t block, std::size_t count,
                     std::size_t remote_stride, std::size_t local_stride) const {
    nread_strided_async(into, block, count, remote_stride, local_stride).get();
  }
  Future<void> nread_strided_async(value_type* into, std::size_t block, std::size_t count,
                                   std::size_t remote_stride, std::size_t local_stride) const {
    return get_blocks(into, strided(block, count, remote_stride, local_stride));
  }
  void nwrite_strided(const T* from, std::size_t block, std::size_t count,
                      std::size_t remote_stride, std::size_t local_stride) const {
    put_blocks(from, strided(block, count, remote_stride, local_stride));
  }
  Future<void> nwrite_strided_async(const T* from, std::size_t block, std::size_t count,
                                    std::size_t remote_stride, std::size_t local_stride) const {
    return put_blocks_async(from, strided(block, count, remote_stride, local_stride));
  }
  void nwrite_strided_signal(const T* from, std::size_t block, std::size_t count,
                             std::size_t remote_stride, std::size_t local_stride,
                             GlobalPtr<std::uint64_t> signal, std::uint64_t increment = 1) const {
    put_blocks_signal(from, strided(block, count, remote_stride, local_stride), signal, increment);
  }
  /// Block i starts at element indices[i] of the target; here the blocks lie side by side. The
  /// indices may be reused when the call returns.
  ///     const auto table = tasuki::new_array<double>(100);
  ///     const auto arrived = tasuki::new_<std::uint64_t>(0U);
  ///     const std::vector<std::size_t> indices = {7, 3, 99};
  ///     std::vector<double> values(indices.size());
  ///     table.nread_indexed(values.data(), 1, indices);
  ///     table.nwrite_indexed(values.data(), 1, indices);
  ///     table.nwrite_indexed_signal(values.data(), 1, indices, arrived);
  void nread_indexed(value_type* into, std::size_t block,
                     std::span<const std::size_t> indices) const {
    nread_indexed_async(into, block, indices).get();
  }
  Future<void> nread_indexed_async(value_type* into, std::size_t block,
                                   std::span<const std::size_t> indices) const {
    return get_blocks(into, indexed(block, indices));
  }
  void nwrite_indexed(const T* from, std::size_t block,
                      std::span<const std::size_t> indices) const {
    put_blocks(from, indexed(block, indices));
  }
  Future<void> nwrite_indexed_async(const T* from, std::size_t block,
                                    std::span<const std::size_t> indices) const {
    return put_blocks_async(from, indexed(block, indices));
  }
  void nwrite_indexed_signal(const T* from, std::size_t block, std::span<const std::size_t> indices,
                             GlobalPtr<std::uint64_t> signal, std::uint64_t increment = 1) const {
    put_blocks_signal(from, indexed(block, indices), signal, increment);
  }

  // ---- arithmetic -----------------------------------------------------------------------------
  GlobalPtr operator+(std::ptrdiff_t count) const { return {rank_, raw() + count}; }
  GlobalPtr operator-(std::ptrdiff_t count) const { return {rank_, raw() - count}; }
  /// Requires: both on the same rank.
  std::ptrdiff_t operator-(const GlobalPtr& other) const { return raw() - other.raw(); }
  GlobalPtr& operator+=(std::ptrdiff_t count) { return *this = *this + count; }
  GlobalPtr& operator-=(std::ptrdiff_t count) { return *this = *this - count; }
  GlobalPtr& operator++() { return *this += 1; }
  GlobalPtr& operator--() { return *this -= 1; }
  GlobalPtr operator++(int) { return std::exchange(*this, *this + 1); }
  GlobalPtr operator--(int) { return std::exchange(*this, *this - 1); }
  friend bool operator==(const GlobalPtr& a, const GlobalPtr& b) noexcept {
    return a.negated_ == b.negated_ && (a.rank_ == b.rank_ || a.is_null());
  }
  /// By rank, then by address; null first.
  friend std::strong_ordering operator<=>(const GlobalPtr& a, const GlobalPtr& b) noexcept {
    if (a == b) return std::strong_ordering::equal;
    if (a.is_null() || b.is_null()) return b.is_null() <=> a.is_null();
    if (a.rank_ != b.rank_) return a.rank_ <=> b.rank_;
    return b.negated_ <=> a.negated_;
  }
  /// As in `rank 1: 0x7f3a5c001040`, or `null`. fmt writes what `fmt::streamed` is given.
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& to,
                                                      const GlobalPtr& pointer) {
    if (pointer.is_null()) return to << "null";
    return to << "rank " << pointer.rank_ << ": "
              << reinterpret_cast<const void*>(-pointer.negated_);
  }

  /// A pointer to a member of the object. Example: examples/put_signal.cpp
  template <class Member, class Class>
  GlobalPtr<Member> member(Member Class::*which) const {
    return {rank_, &(raw()->*which)};
  }
  /// For the library.
  runtime::RemoteAddress internal_place() const noexcept { return {rank_, -negated_}; }

 private:
  static runtime::Rank& self() { return runtime::Rank::current(); }
  static constexpr void require_bytewise() {
    static_assert(
        runtime::Bytewise<T>,
        "tasuki: a GlobalPtr reads and writes only trivially copyable objects that hold no "
        "addresses. Call a function of the object instead: invoke(pointer, &T::method).");
  }
  static constexpr void require_writable() {
    require_bytewise();
    static_assert(!std::is_const_v<T>,
                  "tasuki: a GlobalPtr<const T> only reads. Keep a GlobalPtr<T> to write.");
  }
  /// A count whose bytes would wrap around becomes so many that it is refused like any other that
  /// is too large.
  static constexpr std::size_t bytes_of(std::size_t count) noexcept {
    return count > std::size_t(-1) / sizeof(T) ? std::size_t(-1) : count * sizeof(T);
  }
  static std::span<const std::byte> bytes_at(const void* from, std::size_t count) noexcept {
    return {static_cast<const std::byte*>(from), bytes_of(count)};
  }
  /// Of one object. Returns: was it known to be addressable here?
  bool get_known_bytes(std::byte* into) const {
    require_bytewise();
    std::byte* here = nullptr;
    if (!runtime::known_view<runtime::Access::reading>(internal_place(), sizeof(T), here)) {
      return false;
    }
    base::copy_bytes(into, here, sizeof(T));
    return true;
  }
  void get_bytes(void* into, std::size_t count) const {
    require_bytewise();
    runtime::get(internal_place(), {static_cast<std::byte*>(into), bytes_of(count)});
  }
  void put_bytes(const void* from, std::size_t count) const {
    require_writable();
    runtime::put(internal_place(), bytes_at(from, count));
  }
  static runtime::Scattered strided(std::size_t block, std::size_t count, std::size_t remote_stride,
                                    std::size_t local_stride) {
    return {bytes_of(block), count, bytes_of(remote_stride), bytes_of(local_stride)};
  }
  static runtime::Scattered indexed(std::size_t block, std::span<const std::size_t> indices) {
    return {bytes_of(block), indices.size(), sizeof(T), bytes_of(block), indices.data()};
  }
  Future<void> get_blocks(value_type* into, const runtime::Scattered& blocks) const {
    require_bytewise();
    return runtime::get_scattered_async(self(), internal_place(),
                                        reinterpret_cast<std::byte*>(into), blocks);
  }
  void put_blocks(const T* from, const runtime::Scattered& blocks) const {
    require_writable();
    runtime::put_scattered(self(), internal_place(), reinterpret_cast<const std::byte*>(from),
                           blocks);
  }
  Future<void> put_blocks_async(const T* from, const runtime::Scattered& blocks) const {
    require_writable();
    return runtime::put_scattered_async(self(), internal_place(),
                                        reinterpret_cast<const std::byte*>(from), blocks);
  }
  void put_blocks_signal(const T* from, const runtime::Scattered& blocks,
                         GlobalPtr<std::uint64_t> signal, std::uint64_t increment) const {
    require_writable();
    runtime::put_scattered_signal(self(), internal_place(),
                                  reinterpret_cast<const std::byte*>(from), blocks,
                                  signal.internal_place(), increment);
  }

  std::int32_t rank_ = -1;
  /// The negated address: so one that a lambda captures is not taken for a reference to a variable
  /// of the caller (capture_check.hpp).
  std::uintptr_t negated_ = 0;
};

namespace runtime {

/// The object behind `pointer` as it travels to its rank. Throws tasuki::error if it is null.
template <class T>
Address<T> object_of(const GlobalPtr<T>& pointer, const char* operation) {
  if (pointer.is_null()) [[unlikely]] {
    throw_null(operation);
  }
  return as_address(pointer.raw());
}

/// Calls a member function of an object of its rank, if it takes values of these parameters.
template <class T, class Method, class Parameters = typename ParametersOfMethod<Method>::type>
struct CallOfMethod {
  static_assert(std::is_member_function_pointer_v<Method>,
                "tasuki: what is called through a GlobalPtr is a member function of its object: "
                "invoke(pointer, &T::method, arguments...).");
};
template <class T, class Method, class... Parameters>
struct CallOfMethod<T, Method, TypeList<Parameters...>> {
  auto operator()(Address<T> object, Method method, std::decay_t<Parameters>... values)
      const requires std::is_invocable_v<Method, T&, std::decay_t<Parameters>...> {
    touching(object.pointer, "call of an object");
    return (object.pointer->*method)(std::move(values)...);
  }
};

}  // namespace runtime

/// A pointer to an object of this rank, to be handed to others.
///     int variable = 0;
///     const auto variables = tasuki::allgather(tasuki::global_ptr(&variable));
template <class T>
GlobalPtr<T> global_ptr(T* object) {
  return {runtime::Rank::current().rank, object};
}

/// These call a member function of the object behind `pointer`, on its rank.
///     const auto text = tasuki::new_<std::string>("sash");
///     const std::size_t size = tasuki::invoke(text, &std::string::size);
///     tasuki::Future<std::size_t> later = tasuki::ainvoke(text, &std::string::size);
///     tasuki::post(text, &std::string::clear);
template <class T, class Method = typename runtime::OverloadedName<T>::type, class... Args>
auto ainvoke(GlobalPtr<T> pointer, Method method, Args&&... args) {
  using Function = runtime::CallOfMethod<T, Method>;
  using Call = runtime::CallOf<Function, Address<T>, Method, Args...>;
  if constexpr (Call::is_allowed) {
    return Future<typename Call::Result>(Call::template ask<runtime::RecordPurpose::call, true>(
        "ainvoke", pointer.rank(), Function{}, runtime::object_of(pointer, "ainvoke"), method,
        std::forward<Args>(args)...));
  } else {
    return runtime::refused<Future<typename Call::Result>>();
  }
}
template <class T, class Method = typename runtime::OverloadedName<T>::type, class... Args>
auto invoke(GlobalPtr<T> pointer, Method method, Args&&... args) {
  using Function = runtime::CallOfMethod<T, Method>;
  using Call = runtime::CallOf<Function, Address<T>, Method, Args...>;
  if constexpr (Call::is_allowed) {
    return runtime::take_answer<typename Call::Result>(
        Call::template ask<runtime::RecordPurpose::call, false>(
            "invoke", pointer.rank(), Function{}, runtime::object_of(pointer, "invoke"), method,
            std::forward<Args>(args)...));
  } else {
    return runtime::refused<typename Call::Result>();
  }
}
template <class T, class Method = typename runtime::OverloadedName<T>::type, class... Args>
void post(GlobalPtr<T> pointer, Method method, Args&&... args) {
  using Function = runtime::CallOfMethod<T, Method>;
  using Call = runtime::CallOf<Function, Address<T>, Method, Args...>;
  if constexpr (Call::is_allowed) {
    Call::post(pointer.rank(), Function{}, runtime::object_of(pointer, "post"), method,
               std::forward<Args>(args)...);
  }
}

/// Returns when all writes of this rank are visible at their targets. Reads and writes made after
/// it are made later than all those before it, in the sight of every rank: also of this rank's own
/// memory by plain loads and stores.
///     const auto word = tasuki::new_<int>(0);
///     word.write(1);
///     tasuki::fence();  // word.write_async(1).get() waits for this write only
inline void fence() { runtime::fence(runtime::Rank::current()); }

/// Waits until the counter `signal` of this rank has reached `value`.
/// Example: examples/put_signal.cpp
inline void wait_signal(const std::uint64_t* signal, std::uint64_t value) {
  runtime::wait_signal(runtime::Rank::current(), signal, value);
}

}  // namespace tasuki

template <class T>
struct std::hash<tasuki::GlobalPtr<T>> {
  std::size_t operator()(const tasuki::GlobalPtr<T>& pointer) const noexcept {
    if (pointer.is_null()) return 0;
    // The fractional part of the golden ratio keeps equal addresses of neighbouring ranks apart
    // (Knuth, The Art of Computer Programming, volume 3, 1973, section 6.4).
    const auto rank = static_cast<std::uint64_t>(pointer.rank());
    return std::hash<T*>()(pointer.raw()) ^ static_cast<std::size_t>(rank * 0x9E3779B97F4A7C15U);
  }
};
