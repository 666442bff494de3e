#include <tasuki/detail/mpi/messages/library_name.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace tasuki::mpi {

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  PMPI_Get_library_version(text.data(), &length);
  std::istringstream words(text.data());
  std::string name;
  for (std::string word; words >> word;) {
    if (word == "Version:") continue;
    name += (name.empty() ? "" : " ") + word;
    if (std::any_of(word.begin(), word.end(), [](char one) { return one >= '0' && one <= '9'; })) {
      break;
    }
  }
  if (name.ends_with(',')) name.pop_back();
  return name;
}

}  // namespace tasuki::mpi
