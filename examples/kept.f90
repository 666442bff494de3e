! examples/kept.f90
! Leaves a matrix on the ranks, and frees all that programs of this user have left there. The server
! is that of TASUKI_SERVER.
program kept
  use tasuki_client
  implicit none
  type(tasuki_server) :: server
  type(tasuki_kept_array) :: matrix
  type(tasuki_kept), allocatable :: all(:)
  double precision :: a(2, 2), x(2)
  logical :: is_freed
  integer :: i
  a = reshape([2, 1, 1, 3], shape(a))
  call tasuki_connect(server)
  call tasuki_put(server, matrix, "linpack", "solve", "A", '{"n": 2}', a)
  call tasuki_call(server, "linpack/solve", size(x), matrix, [5d0, 10d0], x)
  print "(2(g0.3, 1x))", x
  call tasuki_list_kept(server, all)
  do i = 1, size(all)
    call tasuki_discard(server, all(i)%name, is_freed)
    print "(4a, 3(1x, i0), 1x, l1)", all(i)%what, " of ", all(i)%module, ":", all(i)%extents, &
      all(i)%bytes, is_freed
  end do
  call tasuki_close(server)
end program
