// What a program throws when it cannot understand its command line.
//
// Thread-safety: a value.
#pragma once

#include <stdexcept>

namespace tasuki::apps {

/// `what()` is "tasuki: PROGRAM: HAPPENED. Remedy: REMEDY", perhaps with the usage.
class usage_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tasuki::apps
