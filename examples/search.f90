! examples/search.f90
module curve
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
contains
  ! Runs here, for the routine on the server.
  subroutine parabola(x, value) bind(c)
    real(c_double), intent(in) :: x(*)
    real(c_double), intent(out) :: value(*)
    value(1) = (x(1) - 3)**2
  end subroutine
end module

! Calls examples/minimum.idl on the server that TASUKI_SERVER names: texts, a file and a function.
program search
  use tasuki_client
  use curve
  use, intrinsic :: iso_c_binding, only: c_funloc
  implicit none
  type(tasuki_server) :: server
  type(tasuki_function) :: f
  character(200) :: path
  character(80) :: message
  double precision :: x
  integer :: stat
  call get_command_argument(1, path)
  f = tasuki_function(c_funloc(parabola))
  x = 0
  call tasuki_connect(server)
  call tasuki_call(server, "minimum/search", "halving", 40, f, x, message, path)
  print "(a, f5.3, 2a)", "minimum at ", x, ", ", trim(message)
  call tasuki_call(server, "minimum/search", "guessing", 40, f, x, message, path, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_close(server)
end program
