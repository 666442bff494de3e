! examples/linear_equations.f90
! Solves 2 x + y = 5, x + 3 y = 10 on the server that TASUKI_SERVER names.
program linear_equations
  use tasuki_client
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  real(real64) :: a(2, 2), b(2), x(2)
  type(tasuki_server) :: server
  a = reshape([2, 1, 1, 3], shape(a))
  b = [5, 10]
  call tasuki_connect(server)
  call tasuki_call(server, "linpack/solve", size(b), a, b, x)
  print "(a, g0.3, a, g0.3)", "x = ", x(1), ", y = ", x(2)
  call tasuki_close(server)
end program
