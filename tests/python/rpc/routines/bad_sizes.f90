! As bad_sizes.c, by the module of Fortran.
program bad_sizes
  use tasuki_client
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type(tasuki_server) :: server
  character(40) :: url, routine, kind_of_n, n
  real(real64) :: x(3) = [1, 2, 3], y(1), real_n
  integer(int64) :: integer_n
  integer :: i, stat
  call get_command_argument(1, url)
  call tasuki_connect(server, trim(url))
  do i = 2, command_argument_count() - 2, 3
    call get_command_argument(i, routine)
    call get_command_argument(i + 1, kind_of_n)
    call get_command_argument(i + 2, n)
    if (kind_of_n == "float64") then
      read (n, *) real_n
      call tasuki_call(server, trim(routine), real_n, x, y, stat=stat)
    else
      read (n, *) integer_n
      call tasuki_call(server, trim(routine), integer_n, x, y, stat=stat)
    end if
    if (stat == 0) then
      print "(a)", "it was called"
    else
      print "(a)", tasuki_error_text()
    end if
  end do
end program
