// The family of the processor, as far as measured choices depend on it.
//
// Called where built-in choices are made. Thread-safety: a pure function.
#pragma once

namespace tasuki::base {

enum class Processor {
  amd_family_26,  ///< Zen 5.
  other,
};

Processor processor_here() noexcept;

}  // namespace tasuki::base
