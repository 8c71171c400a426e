"""The tree and the built module obey docs/architecture.md."""

import layers
import symbols
import texts


def test_layers_include_only_what_they_may(tree):
    assert list(layers.include_faults(tree)) == []


def test_base_names_are_unique(tree):
    assert list(layers.base_name_faults(tree)) == []


def test_files_and_lines_are_short(tree):
    assert list(layers.length_faults(tree)) == []


def test_files_speak_of_the_project_alone(tree):
    assert list(texts.text_faults(tree)) == []


def module_of(build_dir):
    module = build_dir / "ngx_http_sidepress_module.so"
    assert module.exists(), f"{module} is missing: run scripts/build"
    return module


def test_the_module_exports_three_symbols(build_dir):
    lines = symbols.exported(module_of(build_dir))
    assert list(symbols.export_faults(lines)) == []


def test_the_module_needs_what_every_machine_has(build_dir):
    assert list(symbols.needed_faults(symbols.needed(module_of(build_dir)))) == []


def test_shipped_code_cannot_throw(build_dir):
    archives = sorted(build_dir.glob("**/libsidepress_*.a"))
    objects = sorted(build_dir.glob("nginx/**/*.o"))
    assert len(archives) >= 3 and objects
    for file in archives + objects:
        assert list(symbols.throwing_faults(symbols.undefined(file))) == [], file
