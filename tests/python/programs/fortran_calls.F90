! Calls of two ranks by a binding of Fortran: -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08. Each rank prints
! what it has received. tests/python/mpi/test_fortran_programs.py knows what the calls are.
#include "fortran_binding.inc"

program fortran_calls
#ifdef USE_MPI_F08
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer :: rank, other, ierror
  integer, save, target, asynchronous :: numbers(20), received(20)
  REQUEST :: requests(3)
  STATUS
  STATUSES

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
  other = 1 - rank
  numbers = 100 * rank
  received = -1
  call blocking
  call nonblocking
  call tests
  call matched
  call rooted
  call to_all
  call persistent
  call absolute
  call neighbours
  call communicators
  call one_sided
#ifdef LARGE_COUNTS
  call large_counts
#endif
  call MPI_Finalize(ierror)

contains

  subroutine show(what)
    character(len=*), intent(in) :: what
    print '(a,i3,20i5)', what, rank, received
    received = -1
  end subroutine show

  subroutine blocking
    if (rank == 0) then
      call MPI_Send(numbers, 10, MPI_INTEGER, 1, 7, MPI_COMM_WORLD ERROR)
      call MPI_Recv(received, 20, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                    status ERROR)
      print '(a,2i5)', 'wildcards', SOURCE_OF_STATUS, TAG_OF_STATUS
    else
      call MPI_Recv(received, 20, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      call MPI_Ssend(numbers, 3, MPI_INTEGER, 0, 8, MPI_COMM_WORLD ERROR)
    end if
    call MPI_Sendrecv(numbers, 4, MPI_INTEGER, other, 9, received, 20, MPI_INTEGER, other, 9, &
                      MPI_COMM_WORLD, status ERROR)
    call MPI_Sendrecv_replace(numbers, 2, MPI_INTEGER, other, 10, MPI_PROC_NULL, 10, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    call MPI_Recv(received(10), 2, MPI_INTEGER, other, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    call show('blocking')
  end subroutine blocking

  subroutine nonblocking
    integer :: index, done_count, indices(3)
    call MPI_Irecv(received, 5, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Isend(numbers, 5, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE ERROR)
    call MPI_Irecv(received(6), 3, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                   requests(1), ierror)
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 4, MPI_COMM_WORLD ERROR)
    call MPI_Wait(requests(1), status ERROR)
    print '(a,3i5)', 'wait', rank, SOURCE_OF_STATUS, TAG_OF_STATUS
    call MPI_Irecv(received(8), 3, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Send(numbers, 3, MPI_INTEGER, other, 5, MPI_COMM_WORLD ERROR)
    call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE ERROR)
    call MPI_Irecv(received(12), 3, MPI_INTEGER, other, 6, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Send(numbers, 1, MPI_INTEGER, other, 6, MPI_COMM_WORLD ERROR)
    call MPI_Waitsome(3, requests, done_count, indices, statuses ERROR)
    print '(a,6i5)', 'some', rank, index, done_count, indices(1), TAG_OF_FIRST
    call show('nonblocking')
  end subroutine nonblocking

  subroutine tests
    integer :: index, done_count, indices(3)
    logical :: is_done
    call MPI_Irecv(received, 2, MPI_INTEGER, other, 11, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 11, MPI_COMM_WORLD ERROR)
    is_done = .false.
    do while (.not. is_done)
      call MPI_Test(requests(1), is_done, MPI_STATUS_IGNORE ERROR)
    end do
    call MPI_Irecv(received(3), 2, MPI_INTEGER, other, 12, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 12, MPI_COMM_WORLD ERROR)
    is_done = .false.
    do while (.not. is_done)
      call MPI_Testall(3, requests, is_done, MPI_STATUSES_IGNORE ERROR)
    end do
    call MPI_Irecv(received(5), 2, MPI_INTEGER, other, 13, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 13, MPI_COMM_WORLD ERROR)
    is_done = .false.
    do while (.not. is_done)
      call MPI_Testany(3, requests, index, is_done, status ERROR)
    end do
    call MPI_Irecv(received(7), 2, MPI_INTEGER, other, 14, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 14, MPI_COMM_WORLD ERROR)
    done_count = 0
    do while (done_count == 0)
      call MPI_Testsome(3, requests, done_count, indices, MPI_STATUSES_IGNORE ERROR)
    end do
    print '(a,6i5)', 'tests', rank, index, TAG_OF_STATUS, done_count, indices(1)
    call show('tests')
  end subroutine tests

  subroutine matched
    logical :: is_there
    MESSAGE :: message
    call MPI_Send(numbers, 2, MPI_INTEGER, other, 15, MPI_COMM_WORLD ERROR)
    call MPI_Probe(MPI_ANY_SOURCE, 15, MPI_COMM_WORLD, status ERROR)
    is_there = .false.
    do while (.not. is_there)
      call MPI_Iprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, is_there, MPI_STATUS_IGNORE ERROR)
    end do
    call MPI_Mprobe(other, 15, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE ERROR)
    call MPI_Mrecv(received, 20, MPI_INTEGER, message, status ERROR)
    print '(a,6i5)', 'matched', rank, SOURCE_OF_STATUS, TAG_OF_STATUS
    call show('matched')
  end subroutine matched

  subroutine rooted
    if (rank == 0) received(:4) = [1, 2, 3, 4]
    call MPI_Bcast(received, 4, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call MPI_Reduce(numbers, received(5), 3, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD ERROR)
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, received(8), 2, MPI_INTEGER, 0, &
                      MPI_COMM_WORLD ERROR)
      call MPI_Scatter(received(8), 2, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 0, &
                       MPI_COMM_WORLD ERROR)
      call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, received(12), [1, 3], [0, 1], MPI_INTEGER, 0, &
                       MPI_COMM_WORLD ERROR)
    else
      call MPI_Gather(numbers, 2, MPI_INTEGER, received(8), 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
      call MPI_Scatter(received(8), 2, MPI_INTEGER, received(8), 2, MPI_INTEGER, 0, &
                       MPI_COMM_WORLD ERROR)
      call MPI_Gatherv(numbers, 3, MPI_INTEGER, received(12), [1, 3], [0, 1], MPI_INTEGER, 0, &
                       MPI_COMM_WORLD ERROR)
    end if
    call show('rooted')
  end subroutine rooted

  subroutine to_all
    integer :: counts(2) = [1, 2], places(2) = [0, 1]
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
    received = rank
    call MPI_Allreduce(MPI_IN_PLACE, received, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received(3), 2, MPI_INTEGER, &
                       MPI_COMM_WORLD ERROR)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received(7), 1, MPI_INTEGER, &
                      MPI_COMM_WORLD ERROR)
    call MPI_Alltoallv(numbers, counts, places, MPI_INTEGER, received(9), [1 + rank, 1 + rank], &
                       [0, 2], MPI_INTEGER, MPI_COMM_WORLD ERROR)
    call MPI_Alltoallw(numbers, [2, 2], [0, 8], [MPI_INTEGER, MPI_INTEGER], received(13), [2, 2], &
                       [0, 8], [MPI_INTEGER, MPI_INTEGER], MPI_COMM_WORLD ERROR)
    call MPI_Reduce_scatter(numbers, received(17), counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD &
                            ERROR)
    call MPI_Scan(numbers, received(19), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call MPI_Iallreduce(MPI_IN_PLACE, received(20), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                        requests(1) ERROR)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE ERROR)
    call show('to_all')
  end subroutine to_all

  subroutine persistent
    integer :: turn
    call MPI_Recv_init(received, 4, MPI_INTEGER, other, 21, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Send_init(numbers, 4, MPI_INTEGER, other, 21, MPI_COMM_WORLD, requests(2) ERROR)
    do turn = 1, 2
      call MPI_Startall(2, requests ERROR)
      call MPI_Waitall(2, requests, statuses ERROR)
    end do
    call MPI_Start(requests(1) ERROR)
    call MPI_Send(numbers, 3, MPI_INTEGER, other, 21, MPI_COMM_WORLD ERROR)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE ERROR)
    call MPI_Request_free(requests(1) ERROR)
    call MPI_Request_free(requests(2) ERROR)
    call show('persistent')
  end subroutine persistent

  subroutine absolute
    integer(kind=MPI_ADDRESS_KIND) :: to_send(1), to_receive(1)
    DATATYPE :: sent_type, received_type
    call MPI_Get_address(numbers, to_send(1) ERROR)
    call MPI_Get_address(received, to_receive(1) ERROR)
    call MPI_Type_create_hindexed(1, [3], to_send, MPI_INTEGER, sent_type ERROR)
    call MPI_Type_create_hindexed(1, [3], to_receive, MPI_INTEGER, received_type ERROR)
    call MPI_Type_commit(sent_type ERROR)
    call MPI_Type_commit(received_type ERROR)
    call MPI_Sendrecv(MPI_BOTTOM, 1, sent_type, other, 22, MPI_BOTTOM, 1, received_type, other, &
                      22, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    call MPI_Bcast(MPI_BOTTOM, 1, received_type, 0, MPI_COMM_WORLD ERROR)
    call show('absolute')
  end subroutine absolute

  subroutine neighbours
    COMMUNICATOR :: ring
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., ring ERROR)
    call MPI_Neighbor_allgather(numbers, 2, MPI_INTEGER, received, 2, MPI_INTEGER, ring ERROR)
    call MPI_Neighbor_alltoall(numbers, 1, MPI_INTEGER, received(5), 1, MPI_INTEGER, ring ERROR)
    call MPI_Neighbor_alltoallv(numbers, [2, 2], [0, 1], MPI_INTEGER, received(7), [2, 2], [0, 2], &
                                MPI_INTEGER, ring ERROR)
    call MPI_Ineighbor_allgather(numbers, 1, MPI_INTEGER, received(11), 1, MPI_INTEGER, ring, &
                                 requests(1) ERROR)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE ERROR)
    call MPI_Comm_free(ring ERROR)
    call show('neighbours')
  end subroutine neighbours

  subroutine communicators
    COMMUNICATOR :: twin, turned
    call MPI_Comm_dup(MPI_COMM_WORLD, twin ERROR)
    call MPI_Comm_split(twin, 0, -rank, turned ERROR)
    call MPI_Bcast(numbers, 1, MPI_INTEGER, 0, turned ERROR)
    call MPI_Comm_free(turned ERROR)
    call MPI_Comm_free(twin ERROR)
    received(1) = numbers(1)
    call show('communicators')
  end subroutine communicators

  subroutine one_sided
    WINDOW :: window
    integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 80, none = 0
    call MPI_Win_create(received, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window ERROR)
    call MPI_Win_fence(0, window ERROR)
    call MPI_Put(numbers, 2, MPI_INTEGER, other, none, 2, MPI_INTEGER, window ERROR)
    call MPI_Win_fence(0, window ERROR)
    call MPI_Win_free(window ERROR)
    call show('one_sided')
  end subroutine one_sided

#ifdef LARGE_COUNTS
  subroutine large_counts
    integer(kind=MPI_COUNT_KIND) :: three = 3
    call MPI_Sendrecv(numbers, three, MPI_INTEGER, other, 31, received, three, MPI_INTEGER, other, &
                      31, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Allreduce(MPI_IN_PLACE, received, three, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call show('large_counts')
  end subroutine large_counts
#endif
end program fortran_calls
