// The input of a reduction that is scattered in place: a copy.
//
// There the output is a part of the input, which no algorithm has a form for. Some ranks may call
// it in place and others not, so that all must carry it out alike.
//
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::mpi::collectives {

class InPlaceInput {
 public:
  const std::byte* copy(const void* input, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(input);
    own_.assign(begin, begin + bytes);
    return own_.data();
  }

 private:
  std::vector<std::byte> own_;
};

}  // namespace tasuki::mpi::collectives
