# Target header_checks: every header compiles by itself, included twice. `./dev lint` builds it.
# The build itself compiles a header alone if a source begins with it, so that is not done again;
# tests/structure/test_headers.py sees that such a header can be included twice.
set(first_included "")
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp
     ${PROJECT_SOURCE_DIR}/apps/*.cpp ${PROJECT_SOURCE_DIR}/bench/*.cpp)
foreach(source IN LISTS sources)
  file(STRINGS ${source} include REGEX "^#include " LIMIT_COUNT 1)
  if(include MATCHES "[<\"](.*)[>\"]")
    list(APPEND first_included ${CMAKE_MATCH_1})
  endif()
endforeach()
set(header_units "")
foreach(folder include src apps bench tests)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder}
       ${PROJECT_SOURCE_DIR}/${folder}/*.hpp ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  foreach(header IN LISTS headers)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${folder}/${header} needs_more
         REGEX "#include .(mpi[.]h|tasuki/mpi_executor|nanobind/|ygm/)")
    if(NOT needs_more AND NOT header IN_LIST first_included)
      set(unit ${PROJECT_BINARY_DIR}/header_checks/${folder}/${header}.cpp)
      file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
      list(APPEND header_units ${unit})
    endif()
  endforeach()
endforeach()

add_library(header_checks OBJECT EXCLUDE_FROM_ALL ${header_units})
get_property(layers GLOBAL PROPERTY TASUKI_LAYERS)
target_link_libraries(header_checks PRIVATE ${layers} GTest::gtest tasuki_options)
foreach(folder src apps bench bench/kernels tests)
  target_include_directories(header_checks PRIVATE ${PROJECT_SOURCE_DIR}/${folder})
endforeach()
