# Libraries that Tasuki builds on.
find_package(Threads REQUIRED)
if(CMAKE_CROSSCOMPILING)
  # Headers are the build machine's own; of libraries there is only what `./dev` has fetched into
  # TASUKI_CROSS_LIBRARIES. fmt works from its headers alone.
  set(TASUKI_CROSS_LIBRARIES "" CACHE PATH "Folder with libboost_context.a for the target")
  find_library(TASUKI_BOOST_CONTEXT libboost_context.a REQUIRED PATHS ${TASUKI_CROSS_LIBRARIES}
               NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  add_library(Boost::context STATIC IMPORTED GLOBAL)
  set_target_properties(Boost::context PROPERTIES IMPORTED_LOCATION ${TASUKI_BOOST_CONTEXT})
  add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
  add_library(cereal::cereal INTERFACE IMPORTED GLOBAL)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
  add_library(CLI11::CLI11 INTERFACE IMPORTED GLOBAL)
  add_library(OpenSSL::SSL INTERFACE IMPORTED GLOBAL)
  add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
  set(TASUKI_MPI_NAMES "")
elseif(TASUKI_CLIENT_ONLY)
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(OpenSSL 3.0 REQUIRED)
else()
  find_package(fmt REQUIRED)
  find_package(cereal REQUIRED)
  # For programs only: no header of the library needs them.
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  # For remote routines, whose connections may be encrypted.
  find_package(OpenSSL 3.0 REQUIRED)
  find_package(Boost REQUIRED CONFIG COMPONENTS context)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET GLOBAL hwloc)
  # Only for the application lu, which is not built without.
  pkg_check_modules(openblas IMPORTED_TARGET GLOBAL openblas)
  # Only for the application sssp, which is not built without liblzma and works without METIS.
  pkg_check_modules(lzma IMPORTED_TARGET GLOBAL liblzma)
  find_library(TASUKI_METIS metis)
  find_package(TasukiMpi QUIET)
endif()
