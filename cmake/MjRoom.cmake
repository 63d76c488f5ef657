# One verb for every folder. A room's files say by their suffix what they are:
#
#   *_test.cc      unit tests               -> mj_<room>_test      label unit
#   *_pg_test.cc   tests on real PostgreSQL -> mj_<room>_pg_test   label pg (one ctest: <room>.pg)
#   *_bench.cc     Google Benchmark         -> mj_<room>_bench     label bench_smoke
#   *_testing.cc   helpers for tests        -> mj_<room>_testing   (library)
#   main.cc        the program              -> BINARY
#   other *.cc     the room's library       -> mj_<room>           (alias mj::<room>)
#
# mj_room(NAME [BINARY name] [DEPS rooms...] [EXTERNAL targets...]
#              [TEST_DEPS rooms...] [TEST_EXTERNAL targets...] [LABELS labels...])
include(GoogleTest)

function(mj_add_rooms)
  foreach(top IN LISTS ARGN)
    file(GLOB_RECURSE lists CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${top}/CMakeLists.txt")
    list(SORT lists)
    foreach(list IN LISTS lists)
      if(NOT list MATCHES "/node_modules/")
        get_filename_component(dir "${list}" DIRECTORY)
        add_subdirectory("${dir}")
      endif()
    endforeach()
  endforeach()
endfunction()

add_library(mj_flags INTERFACE)
target_include_directories(mj_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_link_libraries(mj_flags INTERFACE Threads::Threads)
if(MJ_SANITIZE)
  target_compile_options(mj_flags INTERFACE -fsanitize=${MJ_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(mj_flags INTERFACE -fsanitize=${MJ_SANITIZE})
  if(MJ_SANITIZE MATCHES "undefined")
    # With the checks for null, g++ takes no function's address for a constant, and the games' tables
    # are made of them. Reading through null still ends the program.
    target_compile_options(mj_flags INTERFACE -fno-sanitize-recover=undefined
      -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute)
  endif()
endif()

add_library(mj_warnings INTERFACE)
target_compile_options(mj_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<BOOL:${MJ_WERROR}>:-Werror>)

function(_mj_link target)
  cmake_parse_arguments(L "" "" "DEPS;EXTERNAL" ${ARGN})
  list(TRANSFORM L_DEPS PREPEND "mj_")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} INTERFACE mj_flags ${L_DEPS} ${L_EXTERNAL})
  else()
    target_link_libraries(${target} PUBLIC mj_flags ${L_DEPS} ${L_EXTERNAL} PRIVATE mj_warnings)
  endif()
endfunction()

# Every benchmark, for ./dev bench.
add_custom_target(mj_benches)

function(mj_room NAME)
  cmake_parse_arguments(R "" "BINARY" "DEPS;EXTERNAL;TEST_DEPS;TEST_EXTERNAL;LABELS" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  set(lib "")
  set(unit "")
  set(pg "")
  set(bench "")
  set(testing "")
  set(main "")
  foreach(f IN LISTS files)
    if(f MATCHES "_pg_test\\.cc$")
      list(APPEND pg "${f}")
    elseif(f MATCHES "_test\\.cc$")
      list(APPEND unit "${f}")
    elseif(f MATCHES "_bench\\.cc$")
      list(APPEND bench "${f}")
    elseif(f MATCHES "_testing\\.cc$")
      list(APPEND testing "${f}")
    elseif(f MATCHES "/main\\.cc$")
      list(APPEND main "${f}")
    else()
      list(APPEND lib "${f}")
    endif()
  endforeach()

  if(lib)
    add_library(mj_${NAME} STATIC ${lib})
  else()
    add_library(mj_${NAME} INTERFACE)
  endif()
  add_library(mj::${NAME} ALIAS mj_${NAME})
  _mj_link(mj_${NAME} DEPS ${R_DEPS} EXTERNAL ${R_EXTERNAL})

  set(test_links mj_${NAME})
  if(testing)
    add_library(mj_${NAME}_testing STATIC ${testing})
    _mj_link(mj_${NAME}_testing DEPS ${NAME} ${R_TEST_DEPS}
             EXTERNAL GTest::gtest GTest::gmock ${R_TEST_EXTERNAL})
    list(APPEND test_links mj_${NAME}_testing)
  endif()

  foreach(kind unit pg)
    if(${kind})
      set(t mj_${NAME}_test)
      if(kind STREQUAL "pg")
        set(t mj_${NAME}_pg_test)
      endif()
      add_executable(${t} ${${kind}})
      _mj_link(${t} DEPS ${R_TEST_DEPS} EXTERNAL ${test_links} GTest::gmock GTest::gtest
               GTest::gtest_main ${R_TEST_EXTERNAL})
      if(kind STREQUAL "pg")
        # One process for all of them, so that they share one cluster.
        add_test(NAME ${NAME}.pg COMMAND ${t} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
        set_tests_properties(${NAME}.pg PROPERTIES LABELS "pg;${R_LABELS}" TIMEOUT 1800)
      else()
        # PRE_TEST: a test program runs nothing while it is being built. A parameter is told by its
        # name (or number) alone: printed values may hold pointers, which differ from run to run.
        gtest_discover_tests(${t} TEST_PREFIX "${NAME}." DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
                             WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                             PROPERTIES LABELS "unit;${R_LABELS}" TIMEOUT 1800)
      endif()
    endif()
  endforeach()

  if(bench)
    add_executable(mj_${NAME}_bench ${bench})
    _mj_link(mj_${NAME}_bench DEPS ${R_TEST_DEPS}
             EXTERNAL ${test_links} benchmark::benchmark benchmark::benchmark_main ${R_TEST_EXTERNAL})
    add_dependencies(mj_benches mj_${NAME}_bench)
    add_test(NAME ${NAME}.bench_smoke COMMAND mj_${NAME}_bench --benchmark_min_time=0.001)
    set_tests_properties(${NAME}.bench_smoke PROPERTIES LABELS "bench_smoke"
                         WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  endif()

  if(main)
    if(NOT R_BINARY)
      set(R_BINARY ${NAME})
    endif()
    add_executable(${R_BINARY} ${main})
    _mj_link(${R_BINARY} EXTERNAL mj_${NAME})
    set_target_properties(${R_BINARY} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  endif()
endfunction()
