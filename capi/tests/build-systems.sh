#!/usr/bin/env bash
# Builds examples/build-systems with CMake, Meson, Make and Cargo, runs what comes out, and touches what it is made of: called by
# test-capi.sh, which brings the tools.
#
#   capi/tests/build-systems.sh PREFIX PROGRAM    where the C interface is installed, and the program spirv-if
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

use_spirv_tools
prefix=$1
work=$root/target/capi-test/build-systems
examples=$root/examples/build-systems
export PATH="$tools/bin:$PATH" PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
rm -rf "$work" && mkdir -p "$work/inputs" "$work/make"
inputs=$work/inputs
# Of our own, to be touched.
program=$work/spirv-if
cp "$2" "$program"

# What each program prints, by the program spirv-if.
expected() {
    local device
    "$program" pack -q "$inputs/guarded.spv" --annotations "$inputs/guarded.yaml" -o "$work/packed.spv"
    for device in intel_gpu_bmg_g21 nvidia_gpu_sm_50; do
        "$program" specialize -q "$work/packed.spv" --device "$device" -o "$work/plain.spv"
        echo "$device: $(stat -c %s "$work/plain.spv") of $(stat -c %s "$work/packed.spv") bytes"
    done
}

# check NAME PACKED BUILD INPUTS PROGRAM...: BUILD makes the PROGRAMs, which print what they must; again it does nothing to the file PACKED; it
# makes it anew when one of the files INPUTS changed.
check() {
    local name=$1 packed=$2 build=$3 files=$4 before input
    shift 4
    say "$name"
    # Beside the module, for those that read it.
    rm -f "$inputs/guarded.prop"
    if [[ $files == *guarded.prop* ]]; then printf '[SYCL/device requirements]\n' >"$inputs/guarded.prop"; fi
    cp "$root"/fixtures/annotations/{guarded.spv,guarded.yaml,results.spv} "$inputs"
    $build >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "$name does not build"; }
    for own in "$@"; do diff <(expected) <("$own") || die "$own prints something else"; done
    before=$(stat -c %y $packed)
    $build >"$work/log" 2>&1
    [[ $(stat -c %y $packed) == "$before" ]] || die "$name packs again although nothing changed"
    for input in $files; do
        before=$(stat -c %y $packed)
        # Times of files are as coarse as a second in some of these.
        sleep 1
        touch "$input"
        $build >"$work/log" 2>&1
        [[ $(stat -c %y $packed) != "$before" ]] || die "$name does not pack again when $input changes"
    done
    sleep 1
    sed -i 's/1: fp16/1: fp16 \&\& gpu/' "$inputs/guarded.yaml"
    $build >"$work/log" 2>&1
    for own in "$@"; do diff <(expected) <("$own") || die "$own prints something else after its annotations changed"; done
}

modules="$inputs/guarded.spv $inputs/guarded.yaml"
# The first build also configures.
with_cmake() {
    [[ -d $work/cmake ]] || cmake -G "$generator" -S "$examples/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
        -DSPIRV_IF_PROGRAM="$program" -DFIXTURES="$inputs"
    cmake --build "$work/cmake"
}
for generator in Ninja 'Unix Makefiles'; do
    rm -rf "$work/cmake"
    check "CMake, $generator" "$work/cmake/shaders/guarded.h" with_cmake "$modules $inputs/guarded.prop $program" "$work/cmake/header" \
        "$work/cmake/incbin"
    for file in guarded results; do "$SPIRV_VAL" "$work/cmake/files/$file.spv"; done
done
ninja_says=$(rm -rf "$work/cmake" && generator=Ninja with_cmake >"$work/log" && cmake --build "$work/cmake")
[[ $ninja_says == *'no work to do'* ]] || die "CMake with Ninja is never done: $ninja_says"

say "names of files in CMake"
rm -rf "$work/names" "$work/my names"
mkdir -p "$work/names/x" "$work/names/y" "$work/my names"
for file in "$work/names/x/reduce.spv" "$work/names/y/reduce.spv" "$work/names/x/re-duce.spv" "$work/names/y/re_duce.spv" \
    "$work/my names/my shader.spv"; do
    cp "$root/fixtures/annotations/guarded.spv" "$file"
done
cp "$root/fixtures/annotations/guarded.yaml" "$work/my names/my notes.yaml"
cat >"$work/names/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.21)
project(names LANGUAGES C ASM)
find_package(spirv-if REQUIRED)
cmake_language(EVAL CODE "${CALLS}")
PROJECT
cat >"$work/names/main.c" <<'PROGRAM'
#include "my shader.h"
/* The SpecId of a constant of the module, by its name. */
int main(void) { return my_shader[0] == 0x07230203 && my_shader_size > 20 && my_shader_spec_USE_HALF == 1 ? 0 : 1; }
PROGRAM
# configured GENERATOR FOLDER CALLS [OPTION...]
configured() {
    cmake -G "$1" -S "$work/names" -B "$2" -DCMAKE_PREFIX_PATH="$prefix" -DSPIRV_IF_PROGRAM="$program" -DCALLS="$3" "${@:4}" 2>&1
}
# refused CALL MESSAGE: CMake breaks messages into lines.
refused() {
    local says
    if says=$(configured Ninja "$work/names/build" "$1"); then die "accepted: $1"; fi
    [[ $(tr -s ' \n' ' ' <<<"$says") == *"$2"* ]] || die "$1: $says"
}
for embed in '' 'EMBED C' 'EMBED INCBIN'; do
    refused "spirv_if_pack(s SOURCES x/reduce.spv y/reduce.spv $embed)" \
        'y/reduce.spv would have one name, reduce: rename one of them, or pack it for a target of its own'
done
refused 'spirv_if_pack(s SOURCES x/re-duce.spv y/re_duce.spv EMBED C)' 'y/re_duce.spv would have one name, re_duce'
for embed in C INCBIN; do
    for name in default main int-least8-t; do
        refused "spirv_if_pack(s SOURCES x/$name.spv EMBED $embed)" \
            "EMBED cannot name words for $work/names/x/$name.spv: ${name//-/_} has a meaning in C or C++. Rename the source"
    done
    for name in _Blur __blur -Blur _; do
        refused "spirv_if_pack(s SOURCES x/$name.spv EMBED $embed)" "${name/-/_} is reserved in C and C++. Rename the source"
    done
    # Keywords of Rust alone, and others that only look alike.
    configured Ninja "$work/names/build" "spirv_if_pack(s SOURCES x/fn.spv x/Default.spv x/_blur.spv x/7.spv EMBED $embed)" >"$work/log" ||
        die "names that C does not have are refused"
done
refused 'spirv_if_pack(s SOURCES x/blür.spv EMBED INCBIN)' 'x/blür.spv: it has letters that are not of ASCII. Rename the source'
configured Ninja "$work/names/build" 'spirv_if_pack(s SOURCES x/default.spv x/_Blur.spv)' >"$work/log" || die 'files without source code are refused'
configured Ninja "$work/names/build" 'spirv_if_pack(s SOURCES x/re-duce.spv y/re_duce.spv)' >"$work/log" || die 'files of two names are refused'
for option in --embed-name --embed-name=own --embed --annotations --depfile -o --output=own; do
    refused "spirv_if_pack(s SOURCES x/reduce.spv EMBED INCBIN OPTIONS $option own)" "OPTIONS has $option, which is for the function to give"
done
refused 'spirv_if_pack(s SOURCES x/reduce.spv DENY)' 'DENY needs a condition'

say "builds that demand conditions in CMake"
# The module has something conditional only by its annotations. CMake reads single quotes as parts of words.
failing() {
    local build=$work/names/demanding says
    rm -rf "$build"
    configured Ninja "$build" "spirv_if_pack(s SOURCES x/reduce.spv $1)" >"$work/log" || { cat "$work/log" >&2 && die "not configured: $1"; }
    if says=$(cmake --build "$build" 2>&1); then die "built: $1"; fi
    [[ $says == *"$2"* ]] || die "$1: $says"
}
failing REQUIRE_CONDITIONAL 'nothing becomes conditional'
failing "DENY 'cap(Float16)'" "requires capability 'Float16', which 'cap(Float16)' denies"
failing "DENY fp64 \"fp16 && cap(Shader)\"" "which 'fp16 && cap(Shader)' denies"
rm -rf "$work/names/demanding"
configured Ninja "$work/names/demanding" "spirv_if_pack(s SOURCES x/reduce.spv ANNOTATIONS [[$work/my names/my notes.yaml]] REQUIRE_CONDITIONAL DENY 'cap(Float16)')" >"$work/log"
cmake --build "$work/names/demanding" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "what is conditional is denied"; }

# Devices without half floats get a twin, so that they are not required.
rm -rf "$work/names/lowered"
configured Ninja "$work/names/lowered" "spirv_if_pack(s SOURCES x/reduce.spv LOWER Float16 StorageBuffer16BitAccess DENY 'cap(Float16)' VALIDATE)
    spirv_if_bundle(b SOURCES x/reduce.spv READY LOWER VALIDATE)" >"$work/log"
cmake --build "$work/names/lowered" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "LOWER writes no twins"; }
"$program" unbundle -q "$work/names/lowered/b.spvb" -o "$work/names/lowered/b/" --capabilities Shader,GroupNonUniform,GroupNonUniformArithmetic || die "a ready shader has no twin"

# Of an installed package, and of a part of a project.
cat >"$work/shader.comp" <<'SHADER'
#version 450
#extension GL_GOOGLE_include_directive : require
#include "spirv_if/device_if.glsl"
layout(local_size_x = 1) in;
layout(binding = 0) buffer Sum { float sum; };
void IF_DEVICE_HAS(fp64, add)(inout float result) { result += float(sin(1.0) * double(result)); }
void main() { float result = sum; IF_DEVICE_HAS(fp64, add)(result); sum = result; }
SHADER
cat >"$work/shader.cmake" <<PROJECT
add_custom_command(OUTPUT shader.spv DEPENDS "$work/shader.comp"
    COMMAND "$tools/bin/glslangValidator" -V --target-env vulkan1.1 "-I\${SPIRV_IF_INCLUDE_DIR}" "$work/shader.comp" -o shader.spv)
add_custom_target(compiled ALL DEPENDS shader.spv)
PROJECT
configured Ninja "$work/names/included" "include($work/shader.cmake)" >"$work/log" || { cat "$work/log" >&2 && die "a shader with headers is not configured"; }
cmake --build "$work/names/included" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "SPIRV_IF_INCLUDE_DIR has no headers for shaders"; }
[[ $("$program" pack "$work/names/included/shader.spv" -o "$work/shader.spv" 2>&1) == *'where fp64'* ]] || die "the shader with headers has no condition"

say "GLSL and validation in CMake"
configured Ninja "$work/names/glsl" "spirv_if_pack(s SOURCES [[$work/shader.comp]] REQUIRE_CONDITIONAL VALIDATE GLSL_OPTIONS -g)" >"$work/log" ||
    { cat "$work/log" >&2 && die "GLSL is not configured"; }
cmake --build "$work/names/glsl" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "GLSL is not compiled and packed"; }
"$program" inspect "$work/names/glsl/s/shader.spv" | grep -q fp64 || die "packed GLSL has no condition"
[[ $(cmake --build "$work/names/glsl") != *Packing* ]] || die "GLSL is packed again although nothing changed"
sleep 1
touch "$prefix/include/spirv_if/device_if.glsl"
[[ $(cmake --build "$work/names/glsl") == *Packing* ]] || die "GLSL is not packed again when a header changes"
# CMake looks nowhere.
refused "set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH FALSE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH FALSE)
spirv_if_pack(s SOURCES [[$work/shader.frag]])" \
    'name one with SPIRV_IF_GLSL_COMPILER'
cp "$work/names/x/reduce.spv" "$work/names/x/invalid.spv"
printf '\xff\xff\0\0' | dd of="$work/names/x/invalid.spv" bs=4 seek=6 conv=notrunc status=none
for call in 'spirv_if_pack(s SOURCES x/invalid.spv VALIDATE)' 'spirv_if_bundle(s SOURCES x/invalid.spv VALIDATE)'; do
    rm -rf "$work/names/invalid"
    configured Ninja "$work/names/invalid" "$call" >"$work/log" || { cat "$work/log" >&2 && die "not configured: $call"; }
    if says=$(cmake --build "$work/names/invalid" 2>&1); then die "built: $call"; fi
    [[ $says == *'is not valid for'* ]] || die "$call: $says"
done

for generator in Ninja 'Unix Makefiles'; do
    for embed in C INCBIN; do
        build="$work/my names/build $embed $generator"
        configured "$generator" "$build" "spirv_if_pack(s SOURCES [[$work/my names/my shader.spv]] ANNOTATIONS [[$work/my names/my notes.yaml]] EMBED $embed)
            add_executable(main main.c)
            target_link_libraries(main PRIVATE s)" >"$work/log" || { cat "$work/log" >&2 && die "names with blanks are refused"; }
        cmake --build "$build" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "names with blanks do not build"; }
        "$build/main" || die "the program with a name with blanks has no module"
        for file in 'my shader.spv' 'my notes.yaml'; do
            sleep 1
            touch "$work/my names/$file"
            [[ $(cmake --build "$build") == *'Packing s'* ]] || die "$generator: $file is not packed again"
            [[ $(cmake --build "$build") != *'Packing s'* ]] || die "$generator: $file is packed again although nothing changed"
        done
    done
done

say "a part of another project in CMake"
part=$work/part
mkdir -p "$part"
cp "$root"/fixtures/annotations/{guarded.spv,guarded.yaml} "$root/capi/tests/version.c" "$part"
cat >"$part/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.21)
project(part LANGUAGES C)
if(FETCH)
    include(FetchContent)
    FetchContent_Declare(spirv-if SOURCE_DIR "${CHECKOUT}" SOURCE_SUBDIR capi)
    FetchContent_MakeAvailable(spirv-if)
else()
    add_subdirectory("${CHECKOUT}/capi" spirv-if)
endif()
foreach(library spirv-if static)
    add_executable(version-${library} version.c)
    target_link_libraries(version-${library} PRIVATE spirv-if::${library})
endforeach()
include("${SHADER}")
if(PACK)
    spirv_if_pack(shaders SOURCES guarded.spv ANNOTATIONS guarded.yaml EMBED C)
    add_executable(packed packed.c)
    target_link_libraries(packed PRIVATE shaders spirv-if::spirv-if)
endif()
PROJECT
cat >"$part/packed.c" <<'PROGRAM'
#include "guarded.h"
#include <spvif.h>
int main(void) {
    spvif_module *module = 0;
    spvif_status status = spvif_module_create(guarded, guarded_size, &module, 0);
    spvif_module_destroy(module);
    return status;
}
PROGRAM
for generator in Ninja 'Unix Makefiles'; do
    for fetch in OFF ON; do
        # build_part PACK: what configuring and building say. Without an installed package, and no program is found.
        build_part() {
            cmake -G "$generator" -S "$part" -B "$part/build $generator $fetch" -DFETCH=$fetch -DPACK="$1" -DCHECKOUT="$root" \
                -DSHADER="$work/shader.cmake" \
                -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" -DSPIRV_IF_CARGO_PROFILE=dev -DSPIRV_IF_PROGRAM_PROFILE=dev 2>&1 &&
                cmake --build "$part/build $generator $fetch" 2>&1
        }
        says=$(build_part OFF) || die "$generator, FETCH $fetch: $says"
        [[ $says != *'Building the program'* ]] || die "the program is built although nothing is packed"
        for library in spirv-if static; do
            env -u LD_LIBRARY_PATH "$part/build $generator $fetch/version-$library" || die "$library of a part of another project does not run"
        done
        says=$(build_part ON) || die "$generator, FETCH $fetch, PACK: $says"
        [[ $says == *'Building the program'*'Packing shaders'* ]] || die "a part of another project does not pack: $says"
        env -u LD_LIBRARY_PATH "$part/build $generator $fetch/packed" || die "what a part of another project packs is not a module"
        [[ $(build_part ON) != *'Packing shaders'* ]] || die "a part of another project packs again although nothing changed"
        cmake --install "$part/build $generator $fetch" --prefix "$part/installed" >"$work/log"
        [[ ! -e $part/installed ]] || die "a part of another project installs something"
    done
done

# What runs against a package: packaging/conan/test_package.
say "the Conan recipe"
(
    export CONAN_HOME=$root/target/conan/home
    rm -rf "$CONAN_HOME" && mkdir -p "$CONAN_HOME"
    conan profile detect >"$work/log" 2>&1
    cached() { printf "'%s': {'value': '%s', 'cache': True, 'type': 'STRING'}" "$@"; }
    variables="$(cached SPIRV_IF_CARGO_PROFILE dev), $(cached SPIRV_IF_PROGRAM_PROFILE dev), $(cached SPIRV_IF_CARGO_TARGET_DIR "$root/target/conan/cargo")"
    conan create "$root/packaging/conan" -c tools.cmake.cmaketoolchain:generator=Ninja \
        -c "tools.cmake.cmaketoolchain:extra_variables={$variables}" \
        >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "conan does not create the package"; }
    (($(grep -c '^version 1 of the interface: the input is empty' "$work/log") == 2)) || { cat "$work/log" >&2 && die "the package's programs say something else"; }
)

# The port runs with functions that do what those of vcpkg do; vcpkg itself needs its archive of tools.
say "the vcpkg port"
port=$work/vcpkg
mkdir -p "$port"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
python3 - "$root/packaging/vcpkg/spirv-if/vcpkg.json" "$version" <<'PYTHON'
import json, sys

manifest = json.load(open(sys.argv[1]))
assert manifest["version"] == sys.argv[2], manifest["version"]
assert set(manifest["default-features"]) <= set(manifest["features"]) == {"lean", "probe", "program"}
PYTHON
cat >"$port/run.cmake" <<'SCRIPT'
function(vcpkg_check_features)
    cmake_parse_arguments(PARSE_ARGV 0 own "" "OUT_FEATURE_OPTIONS" "FEATURES")
    set(options "")
    while(own_FEATURES)
        list(POP_FRONT own_FEATURES feature option)
        if(feature IN_LIST FEATURES)
            list(APPEND options -D${option}=ON)
        else()
            list(APPEND options -D${option}=OFF)
        endif()
    endwhile()
    set(${own_OUT_FEATURE_OPTIONS} "${options}" PARENT_SCOPE)
endfunction()
function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 own "" "SOURCE_PATH" "OPTIONS")
    run(${CMAKE_COMMAND} -G Ninja -S ${own_SOURCE_PATH} -B ${BUILD} -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib
        -DSPIRV_IF_CARGO_PROFILE=dev -DSPIRV_IF_PROGRAM_PROFILE=dev -DSPIRV_IF_CARGO_TARGET_DIR=${TARGET_DIR} ${own_OPTIONS})
endfunction()
function(vcpkg_cmake_install)
    run(${CMAKE_COMMAND} --build ${BUILD})
    run(${CMAKE_COMMAND} --install ${BUILD})
endfunction()
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 own "" "PACKAGE_NAME;CONFIG_PATH" "")
    set(config "${CURRENT_PACKAGES_DIR}/share/${own_PACKAGE_NAME}")
    file(RENAME "${CURRENT_PACKAGES_DIR}/${own_CONFIG_PATH}" "${config}")
    file(READ "${config}/${own_PACKAGE_NAME}-config.cmake" text)
    string(REPLACE "/../../../\"" "/../../\"" text "${text}")
    file(WRITE "${config}/${own_PACKAGE_NAME}-config.cmake" "${text}")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_copy_tools)
    cmake_parse_arguments(PARSE_ARGV 0 own "AUTO_CLEAN" "" "TOOL_NAMES")
    file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/tools/${PORT}")
    file(RENAME "${CURRENT_PACKAGES_DIR}/bin/${own_TOOL_NAMES}" "${CURRENT_PACKAGES_DIR}/tools/${PORT}/${own_TOOL_NAMES}")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 own "" "" "FILE_LIST")
    foreach(file IN LISTS own_FILE_LIST)
        file(COPY "${file}" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
    endforeach()
endfunction()
include("${CURRENT_PORT_DIR}/portfile.cmake")
SCRIPT
cmake -DPORT=spirv-if "-DFEATURES=core;probe;program" "-DCURRENT_PORT_DIR=$root/packaging/vcpkg/spirv-if" "-DCURRENT_PACKAGES_DIR=$port/installed" \
    "-DBUILD=$port/build" "-DTARGET_DIR=$root/target" -P "$port/run.cmake" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "the port does not build"; }
cmake -G Ninja -S "$root/packaging/conan/test_package" -B "$port/tests" -DCMAKE_PREFIX_PATH="$port/installed" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2 && die "find_package finds no package of vcpkg"; }
cmake --build "$port/tests" >"$work/log" 2>&1 || { cat "$work/log" >&2 && die "programs do not build against the package of vcpkg"; }
for library in spirv-if static; do env -u LD_LIBRARY_PATH "$port/tests/example-$library" >"$work/log" || die "$library of vcpkg does not run"; done
configured Ninja "$work/names/vcpkg" 'spirv_if_pack(s SOURCES x/reduce.spv)' -UCMAKE_PREFIX_PATH -DCMAKE_PREFIX_PATH="$port/installed" -USPIRV_IF_PROGRAM >"$work/log" ||
    { cat "$work/log" >&2 && die "the package of vcpkg has no program"; }

with_meson() {
    [[ -d $work/meson ]] || meson setup "$work/meson" "$examples/meson" --native-file "$work/native.ini" -Dfixtures="$inputs"
    ninja -C "$work/meson"
}
printf '[binaries]\nspirv-if = %s\n' "'$program'" >"$work/native.ini"
check Meson "$work/meson/guarded.h" with_meson "$modules $inputs/guarded.prop $program" "$work/meson/embedded"

with_make() { make -C "$work/make" -f "$examples/make/Makefile" SPIRV_IF="$program" FIXTURES="$inputs"; }
check Make "$work/make/guarded.h" with_make "$modules $inputs/guarded.prop" "$work/make/embedded"

with_cargo() {
    FIXTURES=$inputs cargo build --manifest-path "$examples/cargo/Cargo.toml" --locked --target-dir "$root/target/example"
}
check Cargo "$root/target/example/debug/build/embedded-*/out/guarded.spv" with_cargo "$modules" "$root/target/example/debug/embedded"
cargo fmt --check --manifest-path "$examples/cargo/Cargo.toml"
