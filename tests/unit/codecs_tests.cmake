sidepress_test(brotli_test LABEL unit
  SOURCES
    codecs/brotli_encoder_test.cc
    codecs/brotli_estimates_test.cc
    codecs/brotli_stored_run_test.cc
    codecs/run_encoder.cc
  LINK sidepress_brotli sidepress_simulation brotlidec)

sidepress_test(zstd_test LABEL unit
  SOURCES
    codecs/run_encoder.cc
    codecs/zstd_dictionary_test.cc
    codecs/zstd_encoder_test.cc
    codecs/zstd_estimates_test.cc
    codecs/zstd_frame_test.cc
    codecs/zstd_frames.cc
    codecs/zstd_joined_run_test.cc
    codecs/zstd_raw_run_test.cc
  LINK sidepress_zstd sidepress_simulation brotlidec)
target_include_directories(zstd_test SYSTEM PRIVATE ${ZSTD_INCLUDE_DIR})

# The body of the fuzz target, run over its committed seeds.
add_executable(zstd_frame_fuzz_replay
  ${PROJECT_SOURCE_DIR}/fuzz/zstd_frame_fuzz.cc
  ${PROJECT_SOURCE_DIR}/fuzz/corpus_replay.cc)
target_link_libraries(zstd_frame_fuzz_replay PRIVATE sidepress_zstd
  sidepress_warnings)
add_test(NAME zstd_frame_fuzz_replay
  COMMAND zstd_frame_fuzz_replay
    ${PROJECT_SOURCE_DIR}/fuzz/corpus/zstd_frame_fuzz)
set_tests_properties(zstd_frame_fuzz_replay PROPERTIES LABELS unit)
