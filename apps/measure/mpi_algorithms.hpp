// The algorithms an MPI library itself has for a collective, and how it is made to use one.
//
// Open MPI's are those of its component coll/tuned, forced for the communicators that are made
// while its settings say so; it must run with coll_tuned_use_dynamic_rules = 1. MPICH's are forced
// for all calls while its settings say so. Both are listed by the library itself at run time. Open
// MPI's carry the names of Tasuki's registry where it has the same; MPICH's keep their own.
// Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <mpi.h>

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/coll/parameters.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include <string>
#include <vector>

#include "measure/mpi_setting.hpp"

namespace tasuki::measure {

struct MpiAlgorithm {
  std::string name;
  std::string library_name;  ///< As the library and its files of rules call it.
  int value;                 ///< Of the setting that forces it; rules of Open MPI's name this.
  std::vector<coll::ParameterDeclaration> parameters;
};

/// What the library has for the collective; nothing if none can be forced.
std::vector<MpiAlgorithm> mpi_algorithms_of(coll::Collective collective);

/// Why the library would use another algorithm although this one is forced, with these parameters,
/// or "". (It would not say so itself.) Known of algorithms that the registry has too.
std::string falls_back_because(const std::string& algorithm, const coll::Parameters& parameters,
                               coll::Collective collective, const coll::Shape& shape);

/// A copy of the communicator of all ranks. Collective: construction and destruction.
class OwnCommunicator {
 public:
  OwnCommunicator() = default;
  ~OwnCommunicator();
  OwnCommunicator(const OwnCommunicator&) = delete;
  OwnCommunicator& operator=(const OwnCommunicator&) = delete;

  /// It keeps the settings that are in force now, where the library keeps them in communicators.
  void make();
  MPI_Comm get() const noexcept { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// While it lives, calls of the collective on its communicator run the algorithm ("native": what
/// the library chooses itself). Collective: construction and destruction.
class ForcedAlgorithm {
 public:
  /// Throws tasuki::error if the library has no such algorithm or parameter.
  ForcedAlgorithm(coll::Collective collective, const std::string& algorithm,
                  const coll::Parameters& parameters);

  /// All ranks; errors are returned on it.
  MPI_Comm communicator() const noexcept { return communicator_.get(); }

 private:
  void force_open_mpi(const MpiSetting& setting, coll::Collective collective,
                      const std::string& algorithm, const coll::Parameters& parameters);
  void force_mpich(const MpiSetting& setting, coll::Collective collective,
                   const std::string& algorithm);

  // Members, so that both go if the constructor throws after the first change.
  OwnCommunicator communicator_;
  ForcedSettings settings_;
};

}  // namespace tasuki::measure
