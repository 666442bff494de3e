#include "mpi/collectives/world_ranks.hpp"
#include "mpi/shim/call.hpp"

#include <array>
#include <utility>
#include <vector>

namespace tasuki::mpi::shim {
namespace {

std::vector<std::int32_t> ranks_of(MPI_Comm communicator, bool is_inter) {
  MPI_Group group = MPI_GROUP_NULL;
  if (is_inter) {
    PMPI_Comm_remote_group(communicator, &group);
  } else {
    PMPI_Comm_group(communicator, &group);
  }
  auto ranks = collectives::world_ranks_of(group);
  PMPI_Group_free(&group);
  return ranks;
}

/// Describes a communicator and writes it down; nullptr if it is none.
record::Communicator* describe(MPI_Comm communicator, const record::Origin& origin) {
  record::Communicator described;
  int is_inter = 0;
  if (PMPI_Comm_test_inter(communicator, &is_inter) != MPI_SUCCESS) return nullptr;
  described.is_inter = is_inter != 0;
  PMPI_Comm_rank(communicator, &described.rank);
  PMPI_Comm_size(communicator, &described.own_size);
  described.world_ranks = ranks_of(communicator, described.is_inter);

  auto members = described.world_ranks;
  if (described.is_inter) {
    const auto own = ranks_of(communicator, false);
    members.insert(members.end(), own.begin(), own.end());
  }
  described.key = record::key_of_made(origin.parent_key, origin.made, members);

  events::CommunicatorEntry entry{};
  entry.key = described.key;
  entry.rank = described.rank;
  entry.rank_count = static_cast<std::uint32_t>(described.own_size);
  entry.remote_rank_count = described.is_inter ? static_cast<std::uint32_t>(described.size()) : 0;
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(communicator, name.data(), &length);
  events::copy_text(entry.name, name.data());

  record::Recorder& recorder = record::recorder();
  described.index = recorder.file().add_communicator(entry);
  events::Header& header = recorder.file().header();
  if (header.rank == events::no_rank && !collectives::has_world()) {
    header.rank = described.rank;
    header.rank_count = described.own_size;
  }
  return &recorder.communicators().add(record::word_of(communicator), std::move(described));
}

/// Stands for the parent of a communicator of which Tasuki did not see how it was made.
constexpr std::uint32_t unseen = 0xFFFFFFFF;

}  // namespace

record::Communicator* known(MPI_Comm communicator) {
  record::Communicators& all = record::recorder().communicators();
  const record::Word word = record::word_of(communicator);
  record::Communicator* const found = all.find(word);
  return found != nullptr ? found : describe(communicator, all.origin_of(word, {0, unseen}));
}

void Call::makes(MPI_Comm made) noexcept {
  if (communicator_ == nullptr) return;
  const auto guard = record::recorder().lock();
  const std::uint32_t made_before = communicator_->made++;
  if (made != MPI_COMM_NULL) describe(made, {communicator_->key, made_before});
}

void Call::makes_later(MPI_Comm made) noexcept {
  if (communicator_ == nullptr) return;
  const auto guard = record::recorder().lock();
  const record::Origin origin{communicator_->key, communicator_->made++};
  if (made != MPI_COMM_NULL) {
    record::recorder().communicators().promise(record::word_of(made), origin);
  }
}

void Call::makes_alone(MPI_Comm made) noexcept {
  if (made == MPI_COMM_NULL) return;
  const auto guard = record::recorder().lock();
  describe(made, {communicator_ != nullptr ? communicator_->key : 0, unseen});
}

void Call::frees(MPI_Comm communicator) noexcept {
  if (communicator == MPI_COMM_NULL) return;
  const auto guard = record::recorder().lock();
  record::recorder().communicators().forget(record::word_of(communicator));
  communicator_ = nullptr;
}

}  // namespace tasuki::mpi::shim
