// What is sent for an argument of a call: the called function's parameter decides.
//
// An argument that converts implicitly to its parameter is converted by the caller: a string
// literal travels as the std::string that the function takes. Where parameters are not known (a
// generic or overloaded function object, default arguments), the argument travels as it is, and is
// converted on the other rank. Used by the call layer only.
//
// Thread-safety: compile-time only.
#pragma once

#include <tasuki/sendable.hpp>
#include <type_traits>
#include <utility>

namespace tasuki::runtime {

template <class... Ts>
struct TypeList {};

/// Declared only. Of a member function: what it takes beside the object.
template <class Result, class... Parameters>
TypeList<Parameters...> parameters_of(Result (*function)(Parameters...));
template <class Class, class Result, class... Parameters>
TypeList<Parameters...> parameters_of(Result (Class::*member)(Parameters...));
template <class Class, class Result, class... Parameters>
TypeList<Parameters...> parameters_of(Result (Class::*member)(Parameters...) const);
template <class Class, class Result, class... Parameters>
TypeList<Parameters...> parameters_of(Result (Class::*member)(Parameters...) &);
template <class Class, class Result, class... Parameters>
TypeList<Parameters...> parameters_of(Result (Class::*member)(Parameters...) const&);

/// void: not known.
template <class F>
struct ParametersOf {
  using type = void;
};
template <FunctionPointer F>
requires requires(F f) { parameters_of(f); }
struct ParametersOf<F> {
  using type = decltype(parameters_of(std::declval<F>()));
};
template <class F>
requires requires { parameters_of(&F::operator()); }
struct ParametersOf<F> {
  using type = decltype(parameters_of(&F::operator()));
};

template <class Method>
struct ParametersOfMethod {
  using type = void;
};
template <class Method>
requires std::is_member_function_pointer_v<Method> && requires(Method method) {
  parameters_of(method);
}
struct ParametersOfMethod<Method> {
  using type = decltype(parameters_of(std::declval<Method>()));
};

/// An address becomes what owns a copy of what it points to, or is refused: any other type would
/// hold the address again. An object of a derived class is not cut down to its base.
template <class Argument, class Plain, class Wanted>
constexpr bool is_converted_to() {
  if constexpr (!std::is_convertible_v<Argument, Wanted> || std::is_base_of_v<Wanted, Plain> ||
                is_smart_pointer<Plain>) {
    return false;
  } else if constexpr (HoldsAddress<Plain>::value) {
    return Serializable<Wanted>;
  } else {
    return Sendable<Wanted>;
  }
}

/// The type that travels for an Argument (as a forwarding reference has it) of a Parameter.
template <class Argument, class Parameter, class Plain = std::decay_t<Argument>,
          class Wanted = std::decay_t<Parameter>>
struct SentFor {
  using type = std::conditional_t<is_converted_to<Argument, Plain, Wanted>(), Wanted,
                                  typename Travels<Plain>::type>;
};
template <class Argument, class Parameter, class Same>
struct SentFor<Argument, Parameter, Same, Same> {
  using type = typename Travels<Same>::type;
};

/// Of<F, Sent...>, with the types that travel for Arguments of these parameters.
template <template <class...> class Of, class F, class Parameters, class... Arguments>
struct WithSent {
  using type = Of<F, Travelling<Arguments>...>;
};
template <template <class...> class Of, class F, class... Parameters, class... Arguments>
requires(sizeof...(Parameters) ==
         sizeof...(Arguments)) struct WithSent<Of, F, TypeList<Parameters...>, Arguments...> {
  using type = Of<F, typename SentFor<Arguments, Parameters>::type...>;
};

/// What an Argument (as a forwarding reference has it) is cast to for a Sent: it stays what it is
/// where its type travels. Casts need no instantiation, as functions would.
template <class Sent, class Argument>
struct SentAs {
  using type = Sent;
};
template <class Sent>
struct SentAs<Sent, Sent> {
  using type = const Sent&;
};
template <class Sent>
struct SentAs<Sent, const Sent> : SentAs<Sent, Sent> {};
template <class Sent>
struct SentAs<Sent, Sent&> : SentAs<Sent, Sent> {};
template <class Sent>
struct SentAs<Sent, const Sent&> : SentAs<Sent, Sent> {};
template <class Sent, class Argument>
using SentValue = typename SentAs<Sent, Argument>::type;

}  // namespace tasuki::runtime
