// Objects of classes that clients have made on this rank, each with a state of its own.
//
// A class's state is in variables of the program, which its methods use: before a method of another
// object runs, their contents are exchanged. Every rank keeps the same objects, as all serve the
// same calls. Thread-safety: none; the thread that runs routines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rpc/links/lost_object.hpp"
#include "rpc/rank/discarded_names.hpp"
#include "rpc/rank/keep_limit.hpp"
#include "rpc/rank/kept_owner.hpp"
#include "rpc/rank/rank_program.hpp"

namespace tasuki::rpc {

class KeptObjects {
 public:
  /// The state that the variables have now is that of every new object. Requires: both outlive it.
  KeptObjects(const RankProgram& program, KeepLimit& limit);

  /// Is there one of this name, whosever it is?
  bool contains(const std::string& id) const { return objects_.contains(id); }
  /// Throws tasuki::error if there is no such class.
  void check_class(const std::string& class_name) const;
  /// Makes an object for the client to whom the rank is leased, and runs what its class has for
  /// that. Returns: the bytes of its variables on all ranks. Throws Lost if there is no room, an
  /// error of quota_kind if the user's is used up, tasuki::error if that fails. Requires:
  /// check_class() throws nothing.
  std::int64_t make(const std::string& id, const std::string& class_name);
  /// The state of the object is in the variables now. Returns: its number. Throws LostObject if
  /// the client's user has no such object of the class.
  std::int64_t use(const std::string& id, std::string_view class_name);
  /// Runs what the class has for the end. Does nothing if the client's user has no such
  /// object. Throws tasuki::error if that fails.
  void free(const std::string& id);
  /// Frees it, as the front end wants it; `happened` is why, for calls that name it later. What
  /// fails then is reported here, as nobody waits for it. Does nothing if the object is not there.
  void discard(const std::string& id, const std::string& happened);
  /// The rank is leased to `owner`; the objects of the clients in `gone` are freed. What fails then
  /// is reported here, as nobody waits for it.
  void lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone);

 private:
  struct State {
    std::span<const StateVariable> variables;
    std::vector<std::byte> first;  ///< Of a new object.
  };
  struct Object {
    KeptOwner owner;
    std::int64_t number;
    std::string class_name;
    std::vector<std::byte> saved;  ///< While the state of another one is in the variables.
  };
  using Objects = std::map<std::string, Object>;

  const State& state_of(const Object& object) const;
  std::int64_t bytes_on_all_ranks(const std::string& class_name) const;
  /// Throws what `make` throws if the client may not have such an object.
  void check_room(const std::string& id, const std::string& class_name) const;
  void load(Object& object);
  void run(Object& object, const char* method);
  void erase(Objects::iterator object);
  void end(Objects::iterator object);

  const RankProgram& program_;
  KeepLimit& limit_;
  std::map<std::string, State, std::less<>> states_;  ///< By class.
  Objects objects_;
  DiscardedNames discarded_;
  Object* loaded_ = nullptr;
  KeptOwner owner_;
  std::int64_t made_count_ = 0;
};

}  // namespace tasuki::rpc
