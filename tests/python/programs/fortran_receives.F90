! Receives of one kind around a ring of ranks by a binding of Fortran: -DMPIF_H, -DUSE_MPI or
! -DUSE_MPI_F08. Prints how many messages each rank has received, and how many results were wrong.
!
!     fortran_receives KIND ROUNDS
#include "fortran_binding.inc"

program fortran_receives
#ifdef USE_MPI_F08
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: room = 65536, period(5) = [1, 700, 3, 20000, 700]
  integer, save, target, asynchronous :: sent(room), received(room)
  integer :: rank, ranks, left, right, round, rounds, ierror, all_wrong
  integer :: wrong = 0, received_count = 0
  character(len=16) :: kind, rounds_text
  REQUEST :: requests(3)
  STATUS
  STATUSES

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  call get_command_argument(1, kind)
  call get_command_argument(2, rounds_text)
  read (rounds_text, *) rounds
  requests = MPI_REQUEST_NULL
  do round = 0, rounds - 1
    select case (kind)
    case ('persistent')
      call restarted(modulo(round, 3), period(1 + modulo(round, 5)))
    case ('sendrecv')
      call combined(modulo(round, 3), period(1 + modulo(round, 5)))
    case ('errors')
      call errors
    case ('nothing')
      call nothing
    case default
      call around(modulo(round, 3), period(1 + modulo(round, 5)))
    end select
  end do
  call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
  if (rank == 0) print '(i0,a,i0,a)', received_count, ' received, ', all_wrong, ' wrong'
  call MPI_Finalize(ierror)

contains

  subroutine expect(value, wanted, what)
    integer, intent(in) :: value, wanted
    character(len=*), intent(in) :: what
    if (value == wanted) return
    if (wrong == 0) print '(a,i0,4a,i0,a,i0)', 'rank ', rank, ': ', trim(kind), ': ', what, value, &
      ' instead of ', wanted
    wrong = wrong + 1
  end subroutine expect

  subroutine expect_message(tag, wanted_count)
    integer, intent(in) :: tag, wanted_count
    integer :: i
    call expect(count([(received(i) /= left + tag + i, i=1, wanted_count)]), 0, 'wrong elements: ')
    received = -1
    received_count = received_count + 1
  end subroutine expect_message

  subroutine expect_status(tag, wanted_count)
    integer, intent(in) :: tag, wanted_count
    integer :: elements
    call MPI_Get_count(status, MPI_INTEGER, elements ERROR)
    call expect(SOURCE_OF_STATUS, left, 'source ')
    call expect(TAG_OF_STATUS, tag, 'tag ')
    call expect(elements, wanted_count, 'elements ')
  end subroutine expect_status

  subroutine prepare(tag, elements)
    integer, intent(in) :: tag, elements
    integer :: i
    sent(:elements) = [(rank + tag + i, i=1, elements)]
  end subroutine prepare

  ! A message goes from rank to rank: each waits for it, as the rank before had to.
  subroutine around(tag, elements)
    integer, intent(in) :: tag, elements
    call prepare(tag, elements)
    if (rank == 0) call MPI_Send(sent, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD ERROR)
    call receive(tag, elements)
    call expect_message(tag, elements)
    if (rank /= 0) call MPI_Ssend(sent, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD ERROR)
  end subroutine around

  subroutine receive(tag, elements)
    integer, intent(in) :: tag, elements
    select case (kind)
    case ('recv')
      call MPI_Recv(received, room, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                    status ERROR)
      call expect_status(tag, elements)
      call MPI_Recv(received, room, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, status ERROR)
      call expect(SOURCE_OF_STATUS, MPI_PROC_NULL, 'source ')
    case ('ignored')
      call MPI_Recv(received, room, MPI_INTEGER, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    case ('absolute')
      call receive_absolute(tag)
    case ('probe')
      call MPI_Probe(left, tag, MPI_COMM_WORLD, status ERROR)
      call expect_status(tag, elements)
      call MPI_Recv(received, room, MPI_INTEGER, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    case ('mprobe')
      call receive_matched(tag, elements)
    case default
      call MPI_Irecv(received, room, MPI_INTEGER, left, tag, MPI_COMM_WORLD, requests(2) ERROR)
      call complete(tag, elements)
      if (requests(2) /= MPI_REQUEST_NULL) call expect(1, 0, 'requests left: ')
    end select
  end subroutine receive

  subroutine receive_absolute(tag)
    integer, intent(in) :: tag
    integer(kind=MPI_ADDRESS_KIND) :: place(1)
    DATATYPE :: type
    call MPI_Get_address(received, place(1) ERROR)
    call MPI_Type_create_hindexed(1, [room], place, MPI_INTEGER, type ERROR)
    call MPI_Type_commit(type ERROR)
    call MPI_Recv(MPI_BOTTOM, 1, type, left, tag, MPI_COMM_WORLD, status ERROR)
    call MPI_Type_free(type ERROR)
  end subroutine receive_absolute

  subroutine receive_matched(tag, elements)
    integer, intent(in) :: tag, elements
    MESSAGE :: message
    call MPI_Mprobe(left, tag, MPI_COMM_WORLD, message, status ERROR)
    call expect_status(tag, elements)
    call MPI_Mrecv(received, room, MPI_INTEGER, message, status ERROR)
    call expect_status(tag, elements)
    if (message /= MPI_MESSAGE_NULL) call expect(1, 0, 'messages left: ')
  end subroutine receive_matched

  subroutine complete(tag, elements)
    integer, intent(in) :: tag, elements
    integer :: index, done_count, indices(3)
    logical :: is_done
    is_done = .false.
    select case (kind)
    case ('wait')
      call MPI_Wait(requests(2), status ERROR)
      call expect_status(tag, elements)
    case ('waitall')
      call MPI_Waitall(2, requests(2:3), statuses ERROR)
      call expect(TAG_OF_FIRST, tag, 'tag ')
    case ('waitall_ignored')
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE ERROR)
    case ('waitany')
      call MPI_Waitany(3, requests, index, status ERROR)
      call expect_status(tag, elements)
      if (round == 0 .and. rank == 0) print '(a,i7)', 'index', index
    case ('waitsome')
      call MPI_Waitsome(3, requests, done_count, indices, statuses ERROR)
      call expect(done_count, 1, 'done ')
      if (round == 0 .and. rank == 0) print '(a,i7)', 'index', indices(1)
      call expect(TAG_OF_FIRST, tag, 'tag ')
    case ('test')
      do while (.not. is_done)
        call MPI_Test(requests(2), is_done, status ERROR)
      end do
      call expect_status(tag, elements)
    end select
  end subroutine complete

  subroutine restarted(tag, elements)
    integer, intent(in) :: tag, elements
    call prepare(tag, elements)
    call MPI_Recv_init(received, room, MPI_INTEGER, left, tag, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Send_init(sent, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Startall(2, requests ERROR)
    call MPI_Waitall(2, requests, statuses ERROR)
    call expect(TAG_OF_FIRST, tag, 'tag ')
    call expect_message(tag, elements)
    call MPI_Start(requests(1) ERROR)
    call MPI_Start(requests(2) ERROR)
    call MPI_Wait(requests(1), status ERROR)
    call expect_status(tag, elements)
    call expect_message(tag, elements)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE ERROR)
    call MPI_Request_free(requests(1) ERROR)
    call MPI_Request_free(requests(2) ERROR)
  end subroutine restarted

  ! The others send when the message of the rank before is there: rank 0 has to wait.
  subroutine combined(tag, elements)
    integer, intent(in) :: tag, elements
    call prepare(tag, elements)
    if (rank /= 0) call MPI_Probe(left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    call MPI_Sendrecv(sent, elements, MPI_INTEGER, right, tag, received, room, MPI_INTEGER, left, &
                      tag, MPI_COMM_WORLD, status ERROR)
    call expect_status(tag, elements)
    call expect_message(tag, elements)
  end subroutine combined

  subroutine errors
    integer :: error_class, i
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call prepare(0, 5)
    do i = 1, 3
      call MPI_Send(sent, 5, MPI_INTEGER, right, i, MPI_COMM_WORLD, ierror)
    end do
    call MPI_Recv(received, 2, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status, ierror)
    call MPI_Error_class(ierror, error_class, ierror)
    call expect(error_class, MPI_ERR_TRUNCATE, 'error ')
    call MPI_Irecv(received, 2, MPI_INTEGER, left, 2, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(received(6), 5, MPI_INTEGER, left, 3, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Waitall(2, requests, statuses, ierror)
    call MPI_Error_class(ierror, error_class, ierror)
    call expect(error_class, MPI_ERR_IN_STATUS, 'error ')
    associate (codes => ERRORS_OF_STATUSES)
      call MPI_Error_class(codes(1), error_class, ierror)
      call expect(error_class, MPI_ERR_TRUNCATE, 'error ')
      if (codes(2) /= MPI_SUCCESS) call expect(codes(2), MPI_ERR_PENDING, 'error ')
    end associate
    ! MPI_Testall of MPICH 4.2, by which the wait is polled, leaves the handle.
    if (requests(1) /= MPI_REQUEST_NULL) call MPI_Request_free(requests(1), ierror)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
    call expect(ierror, MPI_SUCCESS, 'error ')
    received_count = received_count + 3
  end subroutine errors

  ! Calls that have nothing to wait for.
  subroutine nothing
    integer :: index, done_count, indices(3)
    call MPI_Wait(requests(1), status ERROR)
    call expect(SOURCE_OF_STATUS, MPI_ANY_SOURCE, 'source ')
    call MPI_Waitall(0, requests, statuses ERROR)
    call MPI_Waitall(3, requests, statuses ERROR)
    call MPI_Waitany(3, requests, index, status ERROR)
    call MPI_Waitsome(3, requests, done_count, indices, MPI_STATUSES_IGNORE ERROR)
    if (rank == 0) print '(a,2i7)', 'nothing ', index, done_count
  end subroutine nothing
end program fortran_receives
