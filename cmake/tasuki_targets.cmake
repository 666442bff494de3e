# Targets of Tasuki: one static library per layer, one warning level for all.

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)
find_package(Threads REQUIRED)

add_library(tasuki_options INTERFACE)
target_compile_options(tasuki_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual -Wcast-qual $<$<BOOL:${TASUKI_WERROR}>:-Werror>)
if(TASUKI_SANITIZE)
  add_compile_options(-fsanitize=${TASUKI_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TASUKI_SANITIZE})
endif()

# tasuki_layer(NAME [LINKS layer...]): the library of src/NAME with its public headers. A layer with
# its own src/NAME/CMakeLists.txt may add dependencies and plug-ins there.
function(tasuki_layer name)
  cmake_parse_arguments(LAYER "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/plugin/")
  set(target tasuki_${name})
  list(TRANSFORM LAYER_LINKS PREPEND tasuki_)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tasuki_options>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tasuki::${name} ALIAS ${target})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${target} ${scope} $<$<BOOL:${TASUKI_DEBUG}>:TASUKI_DEBUG>)
  target_link_libraries(${target} ${scope} ${LAYER_LINKS})
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${name}/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_BINARY_DIR}/src/${name})
  endif()
endfunction()
