#include <tasuki/grpc.h>

#include <cstdlib>
#include <new>

grpc_error_t grpc_arg_stack_init(grpc_arg_stack_t* stack, std::size_t most_arguments) {
  *stack = {new (std::nothrow) void*[most_arguments], 0, most_arguments, 0};
  return stack->arguments == nullptr ? GRPC_OTHER_ERROR_CODE : GRPC_NO_ERROR;
}

grpc_arg_stack_t* grpc_arg_stack_new(int most_arguments) {
  auto* const stack = new (std::nothrow) grpc_arg_stack_t;
  if (stack == nullptr || most_arguments < 0 ||
      grpc_arg_stack_init(stack, static_cast<std::size_t>(most_arguments)) != GRPC_NO_ERROR) {
    delete stack;
    return nullptr;
  }
  stack->is_on_heap = 1;
  return stack;
}

int grpc_arg_stack_push_arg(grpc_arg_stack_t* stack, void* argument) {
  if (stack->arguments_count == stack->room) return -1;
  stack->arguments[stack->arguments_count++] = argument;
  return 0;
}

void* grpc_arg_stack_pop_arg(grpc_arg_stack_t* stack) {
  if (stack->arguments_count == 0) return nullptr;
  return stack->arguments[--stack->arguments_count];
}

int grpc_arg_stack_destruct(grpc_arg_stack_t* stack) {
  delete[] stack->arguments;
  if (stack->is_on_heap != 0) {
    delete stack;
  } else {
    *stack = {};
  }
  return 0;
}
