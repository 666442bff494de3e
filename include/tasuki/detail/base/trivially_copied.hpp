// Types whose values are copied byte by byte, as the compiler itself says.
//
// Each call of a further type asks this of its arguments. The standard's traits make the compiler
// instantiate several templates for each answer, its own question makes none. Thread-safety:
// compile-time only.
#pragma once

#include <type_traits>

namespace tasuki::base {

/// std::is_trivially_copy_constructible.
template <class T>
concept TriviallyCopied = __is_trivially_constructible(T, const T&);

/// And without a destructor that does anything. Pairs and tuples of such values count, although
/// their assignment is not trivial; then the standard is asked about the destructor.
template <class T>
concept OnlyBytes = TriviallyCopied<T> &&
    (__is_trivially_copyable(T) || std::is_trivially_destructible_v<T>);

}  // namespace tasuki::base
