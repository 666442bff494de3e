// Archives that nobody makes: cereal is asked whether it could put a T into them.
//
// Those that are made (codec.hpp) take bytewise values, too, which depends on the answer. Used by
// sendable.hpp. Thread-safety: compile-time only.
#pragma once

#include <cereal/cereal.hpp>
#include <type_traits>

namespace tasuki::runtime {

struct AskedOutput final : cereal::OutputArchive<AskedOutput> {};
struct AskedInput final : cereal::InputArchive<AskedInput> {};
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(AskedOutput&, const T&);
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(AskedInput&, T&);
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(AskedOutput&, const cereal::BinaryData<T>&);
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(AskedInput&, cereal::BinaryData<T>&);
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(AskedOutput&, cereal::NameValuePair<T>&);
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(AskedOutput&, cereal::SizeTag<T>&);
template <class T>
inline constexpr bool is_known_to_cereal =
    cereal::traits::is_output_serializable<T, AskedOutput>::value&&
        cereal::traits::is_input_serializable<T, AskedInput>::value;

}  // namespace tasuki::runtime

// So cereal finds the other archive, which it asks what save_minimal returns.
CEREAL_SETUP_ARCHIVE_TRAITS(tasuki::runtime::AskedInput, tasuki::runtime::AskedOutput)
