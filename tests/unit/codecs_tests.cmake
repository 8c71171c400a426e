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
