// What may travel between ranks: the rules that arguments, results and captures must satisfy.
//
// Bytes of trivially copyable values are copied as they are; anything else needs a `serialize`
// function in cereal's convention (the standard library's containers have one; smart pointers have
// one where <cereal/types/memory.hpp> is included). Addresses mean nothing on another rank: raw
// pointers, references, spans, string views and whatever visibly holds one are rejected at compile
// time. `as_address` says that an address is meant as a number.
//
// Thread-safety: compile-time only.
#pragma once

#include <array>
#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tasuki/detail/base/trivially_copied.hpp>
#include <tasuki/detail/runtime/calls/asked_archives.hpp>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki {

/// An address on purpose: travels as a number and means something only on the rank it came from
/// (or where it was agreed on).
template <class T>
struct Address {
  T* pointer = nullptr;
};
///     static int total = 0;
///     const auto there = tasuki::broadcast(tasuki::as_address(&total), 0);  // on rank 0
///     tasuki::post(0, [](tasuki::Address<int> sum) { ++*sum.pointer; }, there);
template <class T>
Address<T> as_address(T* pointer) {
  return {pointer};
}

namespace runtime {

/// What travels for a T: the value, unless something stands for it that becomes a T& there.
template <class T>
struct Travels {
  using type = T;
};
/// The same for an argument as it was given.
template <class Argument>
using Travelling = typename Travels<std::decay_t<Argument>>::type;

// Specialisations, where the standard has traits: they are looked up for each type of each call.
template <class T>
inline constexpr bool is_function_pointer = false;
template <class T>
inline constexpr bool is_function_pointer<T*> = std::is_function_v<T>;
template <class T>
concept FunctionPointer = is_function_pointer<T>;
template <class T>
inline constexpr bool is_member_pointer = false;
template <class T, class Class>
inline constexpr bool is_member_pointer<T Class::*> = true;
template <class T>
concept PointerToCode = FunctionPointer<T> || is_member_pointer<T>;

/// Is T an address, or a standard type that visibly holds one?
template <class T>
struct HoldsAddress : std::false_type {};
template <class T>
struct HoldsAddress<T*> : std::bool_constant<!std::is_function_v<T>> {};
template <class T>
struct HoldsAddress<T&> : std::true_type {};
template <class T>
struct HoldsAddress<T&&> : std::true_type {};
template <class T, std::size_t Extent>
struct HoldsAddress<std::span<T, Extent>> : std::true_type {};
template <class Character, class Traits>
struct HoldsAddress<std::basic_string_view<Character, Traits>> : std::true_type {};
template <class T>
struct HoldsAddress<std::reference_wrapper<T>> : std::true_type {};
template <class T>
struct HoldsAddress<Address<T>> : std::false_type {};
/// Containers, pairs, tuples, optionals, variants: what they are made of. Smart pointers own their
/// target and are serialised with it; their deleters and allocators hold nothing.
template <template <class...> class Holder, class... Ts>
struct HoldsAddress<Holder<Ts...>>
    : std::bool_constant<(HoldsAddress<std::remove_cv_t<Ts>>::value || ...)> {};
template <class T, std::size_t Size>
struct HoldsAddress<std::array<T, Size>> : HoldsAddress<std::remove_cv_t<T>> {};

/// Is T a smart pointer, or a standard type that visibly holds one? They are serialised with what
/// they point to, which may be of a derived class.
template <class T>
struct HoldsSmartPointer : std::false_type {};
template <class T>
inline constexpr bool is_smart_pointer = false;
template <class T, class Deleter>
inline constexpr bool is_smart_pointer<std::unique_ptr<T, Deleter>> = true;
template <class T>
inline constexpr bool is_smart_pointer<std::shared_ptr<T>> = true;
template <template <class...> class Holder, class... Ts>
struct HoldsSmartPointer<Holder<Ts...>>
    : std::bool_constant<is_smart_pointer<Holder<Ts...>> ||
                         (HoldsSmartPointer<std::remove_cv_t<Ts>>::value || ...)> {};
template <class T, std::size_t Size>
struct HoldsSmartPointer<std::array<T, Size>> : HoldsSmartPointer<T> {};

/// Copied byte by byte. Pairs and tuples of such values count, although the standard does not call
/// them trivially copyable (their assignment is not trivial; copying their bytes is what it does).
template <class T>
concept Bytewise = base::OnlyBytes<T> && !HoldsAddress<T>::value && !FunctionPointer<T>;

/// Can everything in a standard container travel? cereal itself says yes to any container.
template <class... Parts>
struct AllSendable;
template <class T>
struct PartsSendable : std::true_type {};
template <class T, class Allocator>
struct PartsSendable<std::vector<T, Allocator>> : AllSendable<T> {};
template <class T, class Allocator>
struct PartsSendable<std::deque<T, Allocator>> : AllSendable<T> {};
template <class T, class Allocator>
struct PartsSendable<std::list<T, Allocator>> : AllSendable<T> {};
template <class T, std::size_t Size>
struct PartsSendable<std::array<T, Size>> : AllSendable<T> {};
template <class T>
struct PartsSendable<std::optional<T>> : AllSendable<T> {};
template <class T, class Deleter>
struct PartsSendable<std::unique_ptr<T, Deleter>> : AllSendable<T> {};
template <class First, class Second>
struct PartsSendable<std::pair<First, Second>> : AllSendable<First, Second> {};
template <class... Ts>
struct PartsSendable<std::tuple<Ts...>> : AllSendable<Ts...> {};
template <class... Ts>
struct PartsSendable<std::variant<Ts...>> : AllSendable<Ts...> {};
template <class Key, class T, class Less, class Allocator>
struct PartsSendable<std::map<Key, T, Less, Allocator>> : AllSendable<Key, T> {};
template <class Key, class T, class Hash, class Equal, class Allocator>
struct PartsSendable<std::unordered_map<Key, T, Hash, Equal, Allocator>> : AllSendable<Key, T> {};

template <class T>
concept Serializable = !Bytewise<T> && PartsSendable<T>::value && !FunctionPointer<T> &&
                       !HoldsAddress<T>::value && is_known_to_cereal<T>;

template <class T>
concept Sendable = Bytewise<T> || FunctionPointer<T> || Serializable<T>;
template <class... Parts>
struct AllSendable : std::bool_constant<(Sendable<std::remove_cv_t<Parts>> && ...)> {};

/// May T travel only where <cereal/types/memory.hpp> is included? It takes long to compile, and
/// few programs need it. The int depends on T because clang answers what depends on no T here at
/// once, and remembers the answer where the program includes that header after this one.
template <class T>
concept LacksSmartPointers = !Sendable<T> && HoldsSmartPointer<T>::value &&
                             !Serializable<std::unique_ptr<std::conditional_t<true, int, T>>>;

}  // namespace runtime
}  // namespace tasuki
