// Atomic operations on a word of any rank: what GlobalPtr<T> and `pointer[i]` offer for words.
//
// Each operation has three forms. `fetch_add(v)` waits for the old value, `fetch_add_async(v)` is
// its future, and `add(v)` returns at once, without it: where the word is not addressable, many of
// these travel in one message. All are sequentially consistent at the word, from every rank. Those
// of one rank on one word happen in the order in which they were made. A non-fetching one is done
// at the latest when `fence`, a barrier or `quiesce` returns.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <atomic>
#include <tasuki/detail/runtime/memory/atomic_update.hpp>
#include <type_traits>

namespace tasuki {

/// What atomic operations need of a T. A structure may have to be declared with alignas(sizeof(T)),
/// for one of two ints, say, may lie across two cache lines otherwise.
template <class T>
concept Atomic =
    !std::is_const_v<T> && std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    std::atomic_ref<T>::is_always_lock_free && alignof(T) >= std::atomic_ref<T>::required_alignment;
template <class T>
concept AtomicNumber = Atomic<T> && std::is_arithmetic_v<T>;
template <class T>
concept AtomicInteger = Atomic<T> && std::is_integral_v<T>;

namespace runtime {

/// Asked before anything of an operation is compiled: whether a T has it.
template <class Op, class T>
struct AtomicCheck {
  static constexpr bool is_word = Atomic<T>;
  static constexpr bool is_number = !is_word || !Op::is_for_numbers || AtomicNumber<T>;
  static constexpr bool is_integer = !is_word || !Op::is_for_integers || AtomicInteger<T>;
  static constexpr bool is_allowed = is_word && is_number && is_integer;
  static_assert(is_word,
                "tasuki: atomic operations need a trivially copyable type of 4 or 8 bytes that is "
                "not const and never lies across two cache lines: declare a structure with "
                "alignas(sizeof(T)).");
  static_assert(is_number, "tasuki: this atomic operation is one of numbers.");
  static_assert(is_integer, "tasuki: this atomic operation is one of integers.");
};

}  // namespace runtime

/// `Place` is what derives from it. `compare_exchange` returns the value found; the exchange
/// happened if it equals `expected`.
///     const auto table = tasuki::new_array<std::int64_t>(8);
///     const auto before = table[3].fetch_add(1);           // 0
///     const auto found = table[3].compare_exchange(1, 5);  // 1, so now it holds 5
///     const auto last = table[3].swap(6);                  // 5
///     table[3].fetch_and(3), table[3].fetch_or(8), table[3].fetch_xor(1);
///     table[3].fetch_min(-1), table[3].fetch_max(9);
///     tasuki::Future<std::int64_t> later = table[3].fetch_add_async(1);
///     const std::int64_t nine = later.get();
///     // Those that return nothing:
///     table[3].store(0), table[3].store_if(0, 12), table[3].add(1);
///     table[3].bit_and(9), table[3].bit_or(2), table[3].bit_xor(1);
///     table[3].min(100), table[3].max(-100);
///     const std::int64_t ten = table[3].load();
template <class Place, class T>
class AtomicOperations {
 public:
  T load() const { return fetch<runtime::AtomicLoad>(); }
  Future<T> load_async() const { return fetch_async<runtime::AtomicLoad>(); }

  T swap(T value) const { return fetch<runtime::AtomicSwap>(value); }
  Future<T> swap_async(T value) const { return fetch_async<runtime::AtomicSwap>(value); }
  void store(T value) const { update<runtime::AtomicSwap>(value); }

  T compare_exchange(T expected, T desired) const {
    return fetch<runtime::AtomicCompareExchange>(expected, desired);
  }
  Future<T> compare_exchange_async(T expected, T desired) const {
    return fetch_async<runtime::AtomicCompareExchange>(expected, desired);
  }
  /// Stores `desired` if the word holds `expected`.
  void store_if(T expected, T desired) const {
    update<runtime::AtomicCompareExchange>(expected, desired);
  }

  T fetch_add(T value) const { return fetch<runtime::AtomicAdd>(value); }
  Future<T> fetch_add_async(T value) const { return fetch_async<runtime::AtomicAdd>(value); }
  void add(T value) const { update<runtime::AtomicAdd>(value); }

  T fetch_min(T value) const { return fetch<runtime::AtomicMin>(value); }
  Future<T> fetch_min_async(T value) const { return fetch_async<runtime::AtomicMin>(value); }
  void min(T value) const { update<runtime::AtomicMin>(value); }

  T fetch_max(T value) const { return fetch<runtime::AtomicMax>(value); }
  Future<T> fetch_max_async(T value) const { return fetch_async<runtime::AtomicMax>(value); }
  void max(T value) const { update<runtime::AtomicMax>(value); }

  T fetch_and(T value) const { return fetch<runtime::AtomicAnd>(value); }
  Future<T> fetch_and_async(T value) const { return fetch_async<runtime::AtomicAnd>(value); }
  void bit_and(T value) const { update<runtime::AtomicAnd>(value); }

  T fetch_or(T value) const { return fetch<runtime::AtomicOr>(value); }
  Future<T> fetch_or_async(T value) const { return fetch_async<runtime::AtomicOr>(value); }
  void bit_or(T value) const { update<runtime::AtomicOr>(value); }

  T fetch_xor(T value) const { return fetch<runtime::AtomicXor>(value); }
  Future<T> fetch_xor_async(T value) const { return fetch_async<runtime::AtomicXor>(value); }
  void bit_xor(T value) const { update<runtime::AtomicXor>(value); }

 private:
  friend Place;
  AtomicOperations() = default;

  runtime::RemoteAddress place() const { return static_cast<const Place*>(this)->internal_place(); }
  template <class Op, class... Values>
  T fetch(Values... values) const {
    if constexpr (runtime::AtomicCheck<Op, T>::is_allowed) {
      return runtime::fetch_update<Op, T>(place(), values...);
    } else {
      return runtime::refused<T>();
    }
  }
  template <class Op, class... Values>
  Future<T> fetch_async(Values... values) const {
    if constexpr (runtime::AtomicCheck<Op, T>::is_allowed) {
      return runtime::fetch_update_async<Op, T>(place(), values...);
    } else {
      return runtime::refused<Future<T>>();
    }
  }
  template <class Op, class... Values>
  void update(Values... values) const {
    if constexpr (runtime::AtomicCheck<Op, T>::is_allowed) {
      runtime::update<Op, T>(place(), values...);
    }
  }
};

}  // namespace tasuki
