// Collectives of a program that nobody recompiled, carried out by the best algorithm known.
//
// The wrappers of blocking collectives call it where TASUKI_TUNED is set. Each function does what
// the MPI function of its name does and returns MPI_SUCCESS, or it returns left_to_library and has
// done nothing: the caller has to call the MPI library. That is counted with the reason:
// intercommunicators, operators and datatypes of the user, communicators that call few collectives.
//
// Thread-safety: none; where threads call MPI at once (MPI_THREAD_MULTIPLE) it is off.
#pragma once

#include "mpi/collectives/datatypes.hpp"
#include "mpi/collectives/numbers.hpp"

#include <mpi.h>
#include <tasuki/detail/mpi/collectives/asked_policy.hpp>

namespace tasuki::mpi::collectives {

namespace detail {
inline bool is_tuning = false;
}

/// No error code of MPI, none of which is negative.
inline constexpr int left_to_library = -1;

/// Reads the settings, after MPI_Init. Collective over MPI_COMM_WORLD.
void start_tuning();
inline bool is_tuning() noexcept { return detail::is_tuning; }
/// Writes the counts, before MPI_Finalize.
void end_tuning();
/// The algorithm of the last collective that was carried out.
const char* algorithm_used() noexcept;
/// Whether all ranks of the communicator belong to this job, so that they decide alike.
bool decides_for(MPI_Comm communicator);
/// One more call of a collective that is always left to the MPI library. The texts must live as
/// long as the process.
void count_left(const char* name, const char* why);
/// Does the program ask for policies, as AskedPolicy says?
bool listens();
void ask(AskedPolicy& asked);
/// The program frees the communicator.
void forget(MPI_Comm communicator);

int barrier(MPI_Comm comm);
int bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
int reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm);
int allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);
int scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm);
int exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm);
int gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int gatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, int root, MPI_Comm comm);
int scatterv(const void* sendbuf, Numbers sendcounts, Numbers displs, MPI_Datatype sendtype,
             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, MPI_Comm comm);
int alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
              void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype,
              MPI_Comm comm);
int alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const Datatypes& sendtypes,
              void* recvbuf, Numbers recvcounts, Numbers rdispls, const Datatypes& recvtypes,
              MPI_Comm comm);
int reduce_scatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm);
int reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

}  // namespace tasuki::mpi::collectives
