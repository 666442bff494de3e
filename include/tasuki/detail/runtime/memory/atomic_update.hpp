// Atomic operations on a word of any rank, on any transport: what those of GlobalPtr come down to.
//
// The caller changes a word that it can address itself. Else the word's rank does it, asked by a
// call if the old value is wanted, and by a record of a few words if not: such records are gathered
// into messages as one-way calls are.
//
// Thread-safety: from the rank's own thread only; other ranks may change the same word meanwhile.
#pragma once

#include <atomic>
#include <cstdint>
#include <tasuki/call.hpp>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tuple>

namespace tasuki::runtime {

/// What words an operation is for.
struct OfWords {
  static constexpr bool is_for_numbers = false;
  static constexpr bool is_for_integers = false;
};
struct OfNumbers : OfWords {
  static constexpr bool is_for_numbers = true;
};
struct OfIntegers : OfWords {
  static constexpr bool is_for_integers = true;
};

// What is done to a word; each returns what the word held before.
struct AtomicLoad : OfWords {
  template <class T>
  static T run(std::atomic_ref<T> word) {
    return word.load();
  }
};
struct AtomicSwap : OfWords {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    return word.exchange(value);
  }
};
struct AtomicCompareExchange : OfWords {
  template <class T>
  static T run(std::atomic_ref<T> word, T expected, T desired) {
    word.compare_exchange_strong(expected, desired);
    return expected;
  }
};
struct AtomicAdd : OfNumbers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    return word.fetch_add(value);
  }
};
struct AtomicAnd : OfIntegers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    return word.fetch_and(value);
  }
};
struct AtomicOr : OfIntegers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    return word.fetch_or(value);
  }
};
struct AtomicXor : OfIntegers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    return word.fetch_xor(value);
  }
};
struct AtomicMin : OfNumbers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    T found = word.load();
    while (value < found && !word.compare_exchange_weak(found, value)) {
    }
    return found;
  }
};
struct AtomicMax : OfNumbers {
  template <class T>
  static T run(std::atomic_ref<T> word, T value) {
    T found = word.load();
    while (found < value && !word.compare_exchange_weak(found, value)) {
    }
    return found;
  }
};

inline constexpr const char* atomic_operation = "remote atomic";

/// The word itself, or nullptr if this process cannot address it.
template <class T>
T* addressable_word(RemoteAddress at) {
  if (PeerMappings::is_elsewhere(at.rank) && at.address != 0) return nullptr;
  return reinterpret_cast<T*>(local_view(Rank::current(), at, sizeof(T), atomic_operation));
}

/// What the word's rank is asked to do.
template <class Op, class T, class... Values>
inline constexpr auto update_there = [](Address<T> word, Values... values) {
  touching(word.pointer, atomic_operation);
  return Op::run(std::atomic_ref<T>(*word.pointer), values...);
};

/// Returns: what the word held before, when it is here.
template <class Op, class T, class... Values>
T fetch_update(RemoteAddress at, Values... values) {
  if (T* word = addressable_word<T>(at)) return Op::run(std::atomic_ref<T>(*word), values...);
  return tasuki::invoke(at.rank, update_there<Op, T, Values...>,
                        as_address(reinterpret_cast<T*>(at.address)), values...);
}
template <class Op, class T, class... Values>
Future<T> fetch_update_async(RemoteAddress at, Values... values) {
  if (T* word = addressable_word<T>(at)) {
    return ready_future(Op::run(std::atomic_ref<T>(*word), values...));
  }
  return tasuki::ainvoke(at.rank, update_there<Op, T, Values...>,
                         as_address(reinterpret_cast<T*>(at.address)), values...);
}

template <class Op, class T, class... Values>
void handle_update(Rank& self, int source, Reader& reader) {
  const auto address = reader.read<std::uintptr_t>();
  // Braces: the values are taken out in the order in which they were written.
  const std::tuple<Values...> values{reader.read<Values>()...};
#ifdef TASUKI_DEBUG
  begin_write(self, source, address, sizeof(T), atomic_operation);
#else
  touching(source, address, sizeof(T), atomic_operation);  // the same, without a call
#endif
  std::apply(
      [&](Values... each) { Op::run(std::atomic_ref<T>(*reinterpret_cast<T*>(address)), each...); },
      values);
  ++self.traffic.with(source).done;
}

/// The old value is not wanted. Done at the target at the latest when `fence` returns.
template <class Op, class T, class... Values>
void update(RemoteAddress at, Values... values) {
  if (T* word = addressable_word<T>(at)) {
    Op::run(std::atomic_ref<T>(*word), values...);
    return;
  }
  Rank& self = Rank::current();
  self.traffic.with(at.rank).begin([&] {
    send_values(self.sender, at.rank, &handle_update<Op, T, Values...>, at.address, values...);
  });
  count_write_record(self, at.rank);
}

}  // namespace tasuki::runtime
