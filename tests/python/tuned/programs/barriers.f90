! Three barriers by mpi_f08; another program calls them by C.
program barriers
  use mpi_f08
  implicit none
  integer :: i
  call MPI_Init()
  do i = 1, 3
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  call MPI_Finalize()
end program barriers
