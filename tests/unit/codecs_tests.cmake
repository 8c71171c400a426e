sidepress_test(brotli_test LABEL unit
  SOURCES
    codecs/brotli_encoder_test.cc
    codecs/brotli_estimates_test.cc
    codecs/brotli_stored_run_test.cc
    codecs/run_encoder.cc
  LINK sidepress_brotli sidepress_simulation brotlidec)
