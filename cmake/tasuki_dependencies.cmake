# Libraries that Tasuki builds on.
if(TASUKI_PROTOCOL_ONLY)
  # No libraries of the target machine are at hand: fmt works from its headers alone.
  find_package(Threads REQUIRED)
  add_library(fmt::fmt INTERFACE IMPORTED)
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
else()
  find_package(fmt REQUIRED)
  find_package(Boost REQUIRED COMPONENTS context)
  find_package(Threads REQUIRED)
endif()
