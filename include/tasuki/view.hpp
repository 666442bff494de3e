// Views: part of a container as the argument of a call, without a container of its own.
//
// `view(range)` refers to the elements; the call copies them into its message before it returns. An
// `invoke` with one long view, which waits anyway, copies nothing: the elements leave from where
// they are. The called function has a `View<T>` parameter: a range over the elements in the
// message's memory, or over a copy of them if the message was short. It may keep the view as long
// as it likes, also in a coroutine. The elements are copied as bytes.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <tasuki/detail/base/elements.hpp>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/sendable.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki {
namespace runtime {

/// Keeps the memory of the record whose handler is reading `at`, if it may be kept; else nullptr.
std::shared_ptr<const void> kept_payload(const std::byte* at);

}  // namespace runtime

/// A row of values: of the caller, or as they have arrived. Copies refer to the same values.
///     const std::vector<double> all(1000, 0.5);
///     const auto sum = [](const tasuki::View<double>& part) {
///       double total = part.empty() ? 0 : *part.data();
///       for (std::size_t i = 1; i < part.size(); ++i) total += part[i];
///       return part.begin() == part.end() ? 0 : total;
///     };
///     const auto part = tasuki::view(std::span(all).subspan(100, 50));
///     std::printf("%.1f\n", tasuki::invoke(0, sum, part));
template <class T>
class View {
  static_assert(runtime::Bytewise<T> && alignof(T) <= runtime::record_word_bytes,
                "tasuki: the elements of a view are copied as bytes, so they must be trivially "
                "copyable and hold no addresses, and be aligned to 8 bytes at most. Send a "
                "container of anything else.");

 public:
  using value_type = T;

  View() = default;
  /// For the library; users call view().
  View(const T* data, std::size_t size, std::shared_ptr<const void> owner) noexcept
      : data_(data), size_(size), owner_(std::move(owner)) {}

  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  const T& operator[](std::size_t index) const noexcept { return data_[index]; }

  /// For the library: a view of a copy.
  static View copy_of(const std::byte* values, std::size_t size) {
    const std::shared_ptr<std::byte[]> copy(new std::byte[size * sizeof(T)]);
    if (size != 0) std::memcpy(copy.get(), values, size * sizeof(T));
    return View(reinterpret_cast<const T*>(copy.get()), size, copy);
  }
  /// For the library, where a view lies in something else that travels.
  template <class Archive>
  void save(Archive& archive) const {
    archive(cereal::make_size_tag(static_cast<cereal::size_type>(size_)));
    archive(cereal::binary_data(data_, size_ * sizeof(T)));
  }
  /// For the library.
  template <class Archive>
  void load(Archive& archive) {
    cereal::size_type size = 0;
    archive(cereal::make_size_tag(size));
    const std::shared_ptr<std::byte[]> copy(new std::byte[size * sizeof(T)]);
    archive(cereal::binary_data(copy.get(), size * sizeof(T)));
    *this = View(reinterpret_cast<const T*>(copy.get()), size, copy);
  }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
  std::shared_ptr<const void> owner_;  ///< nullptr: the values belong to the caller.
};

/// The elements of a contiguous range (a vector, array, span, or string), or of a part of one. They
/// must stay where they are until the call has been made, not until it is complete.
///     const std::vector<int> numbers{1, 2, 3};
///     tasuki::post(0, [](tasuki::View<int> all) { std::printf("%zu\n", all.size()); },
///                  tasuki::view(numbers));
template <base::Elements Range>
auto view(const Range& range) {
  using Element = std::remove_cvref_t<decltype(*std::data(range))>;
  return View<Element>(std::data(range), std::size(range), nullptr);
}

namespace runtime {

/// The number of values, then the values, aligned as in memory.
template <class T>
struct Codec<View<T>> {
  using Element = T;
  static constexpr bool fixed = false;

  static std::span<const std::byte> encode(ModuleTable&, const View<T>& view) noexcept {
    return {reinterpret_cast<const std::byte*>(view.data()), view.size() * sizeof(T)};
  }
  static void save(ModuleTable&, std::vector<std::byte>& to, const View<T>& view) {
    const std::size_t at = to.size();
    const std::size_t data_at = round_to_word(at + sizeof(std::size_t));
    const std::size_t count = view.size();
    to.resize(data_at + count * sizeof(T));
    std::memcpy(to.data() + at, &count, sizeof count);
    if (count != 0) std::memcpy(to.data() + data_at, view.data(), count * sizeof(T));
  }
  static View<T> read(ModuleTable&, Reader& from) {
    const auto count = from.read<std::size_t>();
    // Payloads begin at a whole word.
    const auto address = reinterpret_cast<std::uintptr_t>(from.take(0));
    from.take(round_to_word(address) - address);
    const std::byte* const data = from.take(count * sizeof(T));
    if (auto owner = kept_payload(data)) {
      return View<T>(reinterpret_cast<const T*>(data), count, std::move(owner));
    }
    return View<T>::copy_of(data, count);
  }
};

}  // namespace runtime
}  // namespace tasuki
