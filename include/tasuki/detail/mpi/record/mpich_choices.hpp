// Names of the values of one of MPICH's variables, from its description: MPICH gives such variables
// no enumeration that a program could ask for.
//
// Called by whoever reads these variables: the recorder, and the program that measures MPICH's
// algorithms. Thread-safety: a pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::mpi::record {

/// The names in the order of the values 0, 1, 2... `description` says `name - what it does` of
/// each; MPICH 4.0 leaves out the end of line before a name, so that it follows a word without a
/// space.
std::vector<std::string> choices_in(std::string_view description);

}  // namespace tasuki::mpi::record
