// Codecs: how one value of each sendable kind is put into a record and taken out.
//
// A codec is `fixed` (its size is known at compile time: bytewise values, function pointers), or of
// a row of elements whose number is known before it is written (a view), or serialises by cereal
// into a buffer first. Values of the first two are encoded before they are written: `encode` may
// throw, `write` may not, because it writes into memory that another rank reads. Used by the call
// layer only.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <memory>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <tasuki/error.hpp>
#include <tasuki/sendable.hpp>
#include <utility>
#include <vector>

namespace tasuki::runtime {

/// A cereal archive that appends to a vector.
class OutputArchive : public cereal::OutputArchive<OutputArchive, cereal::AllowEmptyClassElision> {
 public:
  explicit OutputArchive(std::vector<std::byte>& to)
      : cereal::OutputArchive<OutputArchive, cereal::AllowEmptyClassElision>(this), to_(to) {}
  void save_bytes(const void* data, std::size_t bytes) {
    const std::size_t at = to_.size();
    to_.resize(at + bytes);
    if (bytes != 0) std::memcpy(to_.data() + at, data, bytes);
  }

 private:
  std::vector<std::byte>& to_;
};

[[noreturn]] void throw_short_record();
/// Reports a value whose `load` or `serialize` waits, and ends the job.
[[noreturn]] void refuse_wait_of_load() noexcept;

/// A cereal archive that reads a record in place. Where the program's code that reads lets others
/// run, their messages may overwrite what has not been read; so while an archive lives, it must
/// not.
class InputArchive : public cereal::InputArchive<InputArchive, cereal::AllowEmptyClassElision> {
 public:
  explicit InputArchive(Reader& from)
      : cereal::InputArchive<InputArchive, cereal::AllowEmptyClassElision>(this), from_(from) {}
  void load_bytes(void* data, std::size_t bytes) {
    if (bytes > from_.left_bytes()) throw_short_record();
    if (bytes != 0) from_.read_bytes(data, bytes);
  }

 private:
  Reader& from_;
  NoWaits no_waits_{&refuse_wait_of_load};
};

template <class T>
struct Codec;

template <Bytewise T>
struct Codec<T> {
  static constexpr bool fixed = true;
  static constexpr std::size_t bytes = __is_empty(T) ? 0 : sizeof(T);
  static const T* encode(ModuleTable&, const T& value) noexcept { return std::addressof(value); }
  static void write(Writer& to, const T* value) noexcept { to.write_bytes(value, bytes); }
  static T read(ModuleTable&, Reader& from) {
    alignas(T) std::byte storage[sizeof(T)];
    from.read_bytes(storage, bytes);
    return *reinterpret_cast<T*>(storage);
  }
};

/// Travels as its bytes. Pointers to members have codecs of their own.
template <class T>
concept SentAsItIs = Bytewise<T> && !is_member_pointer<T>;

template <FunctionPointer T>
struct Codec<T> {
  static constexpr bool fixed = true;
  static constexpr std::size_t bytes = sizeof(CodeAddress);
  /// Throws tasuki::error: a pointer to code that no loaded program or library holds.
  static CodeAddress encode(ModuleTable& modules, T function) {
    return modules.encode(reinterpret_cast<std::uintptr_t>(function));
  }
  static void write(Writer& to, const CodeAddress& code) noexcept { to.write(code); }
  static T read(ModuleTable& modules, Reader& from) {
    return reinterpret_cast<T>(modules.decode(from.read<CodeAddress>()));
  }
};

template <class T>
concept MemberFunctionPointer = Bytewise<T> && std::is_member_function_pointer_v<T>;
/// A member function: its code travels like a function pointer, a virtual one as its index. Both
/// are as the Itanium C++ ABI lays them out; on aarch64 the virtual bit is in the adjustment.
template <MemberFunctionPointer T>
struct Codec<T> {
  struct Layout {
    std::uintptr_t code;
    std::ptrdiff_t adjustment;
  };
  static_assert(sizeof(Layout) == sizeof(T));
  static constexpr bool fixed = true;
  struct Encoded {
    CodeAddress code;
    std::ptrdiff_t adjustment;
  };
  static constexpr std::size_t bytes = sizeof(CodeAddress) + sizeof(std::ptrdiff_t);
  static constexpr std::uint64_t virtual_module = ~std::uint64_t{0};

  static bool is_virtual(const Layout& layout) {
#if defined(__aarch64__)
    return (layout.adjustment & 1) != 0;
#else
    return (layout.code & 1U) != 0;
#endif
  }
  /// Throws as for a function pointer.
  static Encoded encode(ModuleTable& modules, T member) {
    Layout layout;
    std::memcpy(&layout, &member, sizeof layout);
    return {
        is_virtual(layout) ? CodeAddress{virtual_module, layout.code} : modules.encode(layout.code),
        layout.adjustment};
  }
  static void write(Writer& to, const Encoded& member) noexcept {
    to.write(member.code, member.adjustment);
  }
  static T read(ModuleTable& modules, Reader& from) {
    const auto code = from.read<CodeAddress>();
    Layout layout;
    layout.code = code.module == virtual_module ? code.offset : modules.decode(code);
    layout.adjustment = from.read<std::ptrdiff_t>();
    T member;
    std::memcpy(&member, &layout, sizeof member);
    return member;
  }
};

template <Serializable T>
struct Codec<T> {
  static constexpr bool fixed = false;
  static void save(ModuleTable&, std::vector<std::byte>& to, const T& value) {
    OutputArchive archive(to);
    archive(value);
  }
  static T read(ModuleTable&, Reader& from) {
    T value;  // Ends, where reading it throws, when it may wait again.
    InputArchive archive(from);
    archive(value);
    return value;
  }
};

/// Elements that lie somewhere as they travel: `encode` gives them as bytes. In a record their
/// number stands before them, and they begin at a whole word.
template <class T>
concept RowOfElements = requires {
  typename Codec<T>::Element;
};
/// Needs no buffer.
template <class T>
concept WrittenAtOnce = RowOfElements<T> || Codec<T>::fixed;

/// Appends a value of any codec to a buffer.
template <class T>
void save(ModuleTable& modules, std::vector<std::byte>& to, const T& value) {
  if constexpr (Codec<T>::fixed) {
    const auto encoded = Codec<T>::encode(modules, value);
    const std::size_t at = to.size();
    to.resize(at + Codec<T>::bytes);
    Writer writer(to.data() + at);
    Codec<T>::write(writer, encoded);
  } else {
    Codec<T>::save(modules, to, value);
  }
}

/// Serialises arithmetic values for both archives, and whole rows of them at once.
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(OutputArchive& archive, const T& value) {
  archive.save_bytes(&value, sizeof value);
}
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(InputArchive& archive, T& value) {
  archive.load_bytes(&value, sizeof value);
}
/// Inside containers, too, bytewise values need no serialize function of their own.
template <class T>
concept BytewiseOnly = Bytewise<T> && std::is_class_v<T> &&
    !cereal::traits::is_output_serializable<T, AskedOutput>::value;
// The archive is asked for first: whether T is BytewiseOnly depends on these very functions.
template <class Archive, class T>
requires std::is_same_v<Archive, OutputArchive> && BytewiseOnly<T>
void CEREAL_SAVE_FUNCTION_NAME(Archive& archive, const T& value) {
  archive.save_bytes(&value, sizeof value);
}
template <class Archive, class T>
requires std::is_same_v<Archive, InputArchive> && BytewiseOnly<T>
void CEREAL_LOAD_FUNCTION_NAME(Archive& archive, T& value) {
  archive.load_bytes(&value, sizeof value);
}
/// Rows of bytewise values travel as one block; a std::vector<bool> is none.
template <class T>
concept BlockElement = Bytewise<T> && !std::is_same_v<T, bool>;
template <BlockElement T, class Allocator>
void CEREAL_SAVE_FUNCTION_NAME(OutputArchive& archive, const std::vector<T, Allocator>& row) {
  archive(std::uint64_t{row.size()});
  archive.save_bytes(row.data(), row.size() * sizeof(T));
}
template <BlockElement T, class Allocator>
void CEREAL_LOAD_FUNCTION_NAME(InputArchive& archive, std::vector<T, Allocator>& row) {
  std::uint64_t count = 0;
  archive(count);
  row.resize(static_cast<std::size_t>(count));
  archive.load_bytes(row.data(), row.size() * sizeof(T));
}
/// An element of a map, whose key is const: nothing can be read into it, so it is made anew.
template <class Key, class T>
void CEREAL_SAVE_FUNCTION_NAME(OutputArchive& archive, const std::pair<const Key, T>& element) {
  archive(element.first, element.second);
}
template <class Key, class T>
void CEREAL_LOAD_FUNCTION_NAME(InputArchive& archive, std::pair<const Key, T>& element) {
  std::pair<Key, std::remove_const_t<T>> read;
  archive(read.first, read.second);
  // Between the two there is no element, which nobody may see.
  [&]() noexcept {
    std::destroy_at(&element);
    std::construct_at(&element, std::move(read));
  }();
}
template <class Archive, class T>
requires std::is_same_v<Archive, OutputArchive> || std::is_same_v<Archive, InputArchive>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& pair) {
  archive(pair.value);
}
template <class Archive, class T>
requires std::is_same_v<Archive, OutputArchive> || std::is_same_v<Archive, InputArchive>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::SizeTag<T>& tag) {
  archive(tag.size);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(OutputArchive& archive, const cereal::BinaryData<T>& data) {
  archive.save_bytes(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(InputArchive& archive, cereal::BinaryData<T>& data) {
  archive.load_bytes(data.data, static_cast<std::size_t>(data.size));
}

}  // namespace tasuki::runtime

// Rather than cereal's own function for pairs, which reads into the key.
template <class Key, class T>
struct cereal::specialize<tasuki::runtime::OutputArchive, std::pair<const Key, T>,
                          cereal::specialization::non_member_load_save> {};
template <class Key, class T>
struct cereal::specialize<tasuki::runtime::InputArchive, std::pair<const Key, T>,
                          cereal::specialization::non_member_load_save> {};

CEREAL_REGISTER_ARCHIVE(tasuki::runtime::OutputArchive)
CEREAL_REGISTER_ARCHIVE(tasuki::runtime::InputArchive)
CEREAL_SETUP_ARCHIVE_TRAITS(tasuki::runtime::InputArchive, tasuki::runtime::OutputArchive)
