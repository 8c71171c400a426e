"""Each check finds the fault that it is there for."""

import layers
import symbols
import texts


def faults_of(check, *arguments):
    return list(check(*arguments))


def test_an_upward_include_is_found():
    good = {"codecs/brotli/a.cc": '#include "compression_engine/arena.h"\n'}
    bad = {"engine/src/a.cc": '#include "nginx/filter.h"\n'}
    assert faults_of(layers.include_faults, good) == []
    assert len(faults_of(layers.include_faults, bad)) == 1


def test_an_nginx_header_outside_the_boundary_is_found():
    good = {"nginx/ngx.h": "#include <ngx_core.h>\n"}
    bad = {"nginx/filter.cc": "#include <ngx_http.h>\n"}
    assert faults_of(layers.include_faults, good) == []
    assert len(faults_of(layers.include_faults, bad)) == 1


def test_a_system_header_in_the_engine_is_found():
    good = {"engine/src/a.cc": "#include <atomic>\n"}
    bad = {"engine/src/a.cc": "#include <pthread.h>\n"}
    assert faults_of(layers.include_faults, good) == []
    assert len(faults_of(layers.include_faults, bad)) == 1


def test_a_base_name_used_twice_is_found():
    bad = {"nginx/filter.cc": "", "engine/src/filter.cc": ""}
    assert len(faults_of(layers.base_name_faults, bad)) == 1


def test_a_long_file_and_a_long_line_are_found():
    assert len(faults_of(layers.length_faults, {"nginx/a.cc": "x\n" * 501})) == 1
    assert len(faults_of(layers.length_faults, {"nginx/a.cc": "x" * 81})) == 1
    assert faults_of(layers.length_faults, {"nginx/a.cc": "x" * 80}) == []


def test_forbidden_texts_are_found():
    for bad in ("/" + "home/x", "http://" + "deb.example", "// TO" + "DO: x"):
        assert len(faults_of(texts.text_faults, {"README.md": bad})) == 1
    assert faults_of(texts.text_faults, {"README.md": "build/home/x"}) == []


def test_a_fourth_export_and_a_missing_one_are_found():
    good = [f"0000 D {name}" for name in symbols.EXPORTED]
    assert faults_of(symbols.export_faults, good) == []
    assert len(faults_of(symbols.export_faults, good + ["0000 T helper"])) == 1
    assert len(faults_of(symbols.export_faults, good[1:])) == 1


def test_an_unexpected_library_is_found():
    line = " 0x01 (NEEDED)  Shared library: [{}]\n"
    assert faults_of(symbols.needed_faults, line.format("libc.so.6")) == []
    bad = line.format("libstdc++.so.6")
    assert len(faults_of(symbols.needed_faults, bad)) == 1


def test_throwing_symbols_are_found():
    for bad in (
        "U _Znwm",
        "U _ZSt20__throw_length_errorPKc",
        "U __cxa_throw",
    ):
        assert len(faults_of(symbols.throwing_faults, [bad])) == 1
    assert faults_of(symbols.throwing_faults, ["U malloc", "U _ZdlPv"]) == []
