! Collectives from Fortran, with its sentinels; compiled with -cpp, and for the module mpi_f08 with
! -DF08. Prints how many results were wrong.
program collectives
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef F08
  type(MPI_Datatype), allocatable :: types(:)
  type(MPI_Request) :: request
#else
  integer, allocatable :: types(:)
  integer :: request
#endif
  integer, allocatable :: own(:), all(:), counts(:), ones(:), starts(:)
  integer :: rank, ranks, error, i, first, wrong_count = 0, all_wrong_count = 0

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  allocate (types(ranks), counts(ranks), ones(ranks), starts(ranks))
  allocate (own(ranks * (ranks + 1) / 2), all(ranks * (ranks + 1) / 2))
  types = MPI_INTEGER
  ones = 1
  do i = 1, ranks
    counts(i) = i
    starts(i) = 4 * (i - 1)
  end do
  first = rank * (rank + 1) / 2
  call MPI_Barrier(MPI_COMM_WORLD, error)

  call fill(own)
  call MPI_Allreduce(MPI_IN_PLACE, own, size(own), MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  do i = 1, size(own)
    call expect(own(i), sum_at(i))
  end do
  call fill(own)
  call MPI_Reduce_scatter(own, all, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  do i = 1, counts(rank + 1)
    call expect(all(i), sum_at(first + i))
  end do
  call MPI_Reduce_scatter(MPI_IN_PLACE, own, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  do i = 1, counts(rank + 1)
    call expect(own(i), sum_at(first + i))
  end do
  call fill(own)
  call MPI_Alltoallw(own, ones, starts, types, all, ones, starts, types, MPI_COMM_WORLD, error)
  do i = 1, ranks
    call expect(all(i), 100 * (i - 1) + rank + 1)
  end do
  call MPI_Bcast(own, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  call expect(own(1), 100 * (ranks - 1) + 1)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call MPI_Reduce(wrong_count, all_wrong_count, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0, a)', all_wrong_count, ' wrong'
  call MPI_Finalize(error)

contains

  subroutine fill(numbers)
    integer, intent(out) :: numbers(:)
    integer :: at
    do at = 1, size(numbers)
      numbers(at) = 100 * rank + at
    end do
  end subroutine fill

  integer function sum_at(at)
    integer, intent(in) :: at
    sum_at = 50 * ranks * (ranks - 1) + ranks * at
  end function sum_at

  subroutine expect(found, wanted)
    integer, intent(in) :: found, wanted
    if (found /= wanted) wrong_count = wrong_count + 1
  end subroutine expect
end program collectives
