#!/usr/bin/env bash
# Checks the C interface as users have it: builds and installs it, and builds and runs programs in C and C++ against what was installed,
# also under valgrind. The tools come from setup.sh; valgrind is the system's.
#
#   scripts/test-capi.sh             everything
#   scripts/test-capi.sh --bless     writes capi/include/spvif.h anew, and nothing else
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Stripped, in bytes: bounds on growth, three per cent above what they were on 2026-11-30, which are compared last. docs/c.md says what the libraries have, and what stands in the way of less.
most_bytes=8450000
most_lean_bytes=5600000

cd "$root"
scripts/setup.sh build-tools drivers
header=capi/include/spvif.h
work=$root/target/capi-test
mkdir -p "$work"

# The header is what cbindgen makes of the sources, with the calling convention of pointers to functions, and a newline.
make_header() {
    { "$tools/bin/cbindgen" --quiet --config capi/cbindgen.toml capi && echo; } |
        sed -e '/^typedef .*(\*.*[^;]$/,/;$/s/^ /            /' -e '/^typedef/s/(\*\(spvif_[a-z_]*\))(/(SPVIF_CALL *\1)(/' >"$work/spvif.h"
}
make_header
case ${1:-} in
--bless)
    cp "$work/spvif.h" "$header"
    exit
    ;;
'') ;;
*) die "unknown option $1 (there is only --bless)" ;;
esac
diff -u "$header" "$work/spvif.h" || die "$header is not what the sources say: scripts/test-capi.sh --bless"

use_spirv_tools
command -v valgrind >/dev/null || die "needs valgrind: apt-get install valgrind"
command -v localedef >/dev/null || die "needs localedef: apt-get install libc-bin locales"
export PATH="$tools/bin:$PATH"

say "the crate"
cargo fmt --check --package spirv-if-capi
cargo clippy --quiet --package spirv-if-capi --all-targets --locked -- -D warnings
cargo clippy --quiet --package spirv-if-capi --no-default-features --all-targets --locked -- -D warnings
cargo clippy --quiet --package spirv-if-capi --no-default-features --features specialize --all-targets --locked -- -D warnings
cargo test --quiet --package spirv-if-capi --locked
cargo test --quiet --package spirv-if-capi --no-default-features --locked

say "building and installing"
prefix=$work/installed
rm -rf "$prefix"
# build_package FOLDER OPTION...
build_package() {
    cmake -G Ninja -S capi -B "$work/$1" -DSPIRV_IF_BUILD_PROGRAM=OFF -DSPIRV_IF_CARGO_TARGET_DIR="$root/target" "${@:2}" >"$work/log" ||
        { cat "$work/log" && exit 1; }
    cmake --build "$work/$1"
}
# Installed with another prefix than the configured one, and then moved: what follows finds it where it is.
build_package build -DCMAKE_INSTALL_PREFIX="$work/configured" -DCMAKE_INSTALL_LIBDIR=lib
rm -rf "$work/elsewhere"
cmake --install "$work/build" --prefix "$work/elsewhere" >"$work/log"
mv "$work/elsewhere" "$prefix"

library=$prefix/lib/libspvif.so
bytes=$(stat -L -c %s "$library")
others=$(nm -D --defined-only "$library" | awk '$3 !~ /^spvif_/ { print $3 }')
[[ -z $others ]] || die "$library exports more than spvif_*: $others"
others=$(nm -g --defined-only "$prefix/lib/libspvif.a" | awk 'NF == 3 && $3 !~ /^spvif_/ { print $3 }' | sort -u)
[[ -z $others ]] || die "libspvif.a defines more than spvif_*: $others"
# So a program may have another static library of Rust beside it, in either order.
cat >"$work/other.rs" <<'RUST'
#[unsafe(no_mangle)]
pub extern "C" fn other_digits(count: u32) -> u32 { (0..count).map(|number| number.to_string().len() as u32).sum() }
RUST
rustc --edition 2024 --crate-type staticlib -O "$work/other.rs" -o "$work/libother.a"
printf '#include <stdio.h>\n#include <spvif.h>\nunsigned other_digits(unsigned);\nint main(void) { printf("%%u %%u\\n", spvif_abi_version(), other_digits(100)); }\n' >"$work/both.c"
for libraries in "$prefix/lib/libspvif.a $work/libother.a" "$work/libother.a $prefix/lib/libspvif.a"; do
    # shellcheck disable=SC2086 # two words
    cc -I "$prefix/include" "$work/both.c" $libraries -lpthread -ldl -lm -o "$work/both"
    "$work/both" | grep -q '^[0-9]* 190$' || die "a program with two static libraries of Rust does not run"
done
# functions FILE...: their names in files, without those that make values, which are in the header alone.
functions() { grep -ho 'spvif_[a-z_]*(' "$@" | tr -d '(' | grep -vxE 'spvif_(bool|int|uint|float)' | sort -u; }
declared=$(functions "$header")
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
diff <(echo "$declared") <(echo "$exported") || die "$library exports other functions than the header declares"
# calls.c calls each of them.
called=$(functions capi/tests/calls.c capi/tests/common.h capi/tests/expected.h)
diff <(echo "$declared") <(echo "$called") || die "capi/tests/calls.c does not call every function"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
for name in $needed; do
    [[ $name =~ ^(libc|libm|libgcc_s|ld-linux.*)\.so ]] || die "$library loads $name"
done
version=$(sed -n 's/^pub const SPVIF_ABI_VERSION: u32 = \(.*\);/\1/p' capi/src/lib.rs)
readelf -d "$library" | grep -q "SONAME.*\[libspvif.so.$version\]" || die "$library has another soname than libspvif.so.$version"

say "expected results, by the program"
cargo build --quiet --locked
program=$root/target/debug/spirv-if
expected=$work/expected
rm -rf "$expected" && mkdir "$expected"
(
    cd "$expected"
    fixtures=$root/fixtures
    "$program" pack -q "$fixtures/glsl/reduce.spv" -o reduce.packed.spv
    for device in intel_gpu_bmg_g21 nvidia_gpu_sm_50; do
        "$program" specialize -q reduce.packed.spv --device "$device" -o "reduce.$device.spv"
    done
    "$program" pack -q "$fixtures/glsl/reduce.spv" --dialect function-variants --max-clones 4 --property-names dpcpp --keep-exports \
        --export 'sum_in_half(u1;u1;' -o reduce.variants.spv
    "$program" pack -q "$fixtures/annotations/guarded.spv" --annotations "$fixtures/annotations/guarded.yaml" -o guarded.packed.spv
    "$program" pack -q "$fixtures/vulkan/long.spv" --lower=Int64 -o long.packed.spv
    "$program" specialize -q reduce.packed.spv --aspects gpu,fp16 -o reduce.half.spv
    "$program" specialize -q "$fixtures/spec/precision.spv" --set 0:false --set 1:true --set 2:0 --set 10:32 --trim -o precision.spv
    "$program" specialize -q "$fixtures/spec/precision.spv" --set 0:false --set 1:true --set subgroups:0 --set-default 10:32 \
        --set-default factor:2.5 --leave offset --keep-interface --strip --trim --max-version 1.2 -o precision.older.spv
    "$program" specialize -q "$fixtures/spec/precision.spv" --set 0:false --set 1:true --set subgroups:0 --set-default 10:32 \
        --set-default factor:2.5 --leave offset --keep-interface --strip --trim -o precision.kept.spv
    "$program" pack -q "$fixtures/glsl/reduce.spv" --strip -o reduce.stripped.spv
    "$program" trim -q "$fixtures/spec/precision.spv" -o precision.trimmed.spv
    "$program" pack -q "$fixtures/properties/run.spv" -o properties.packed.spv
    "$program" specialize -q "$fixtures/properties/run.spv" --aspects cpu -o properties.plain.spv
    "$program" specialize -q "$fixtures/properties/run.spv" --aspects cpu --keep-properties -o properties.kept.spv
    "$SPIRV_AS" --target-env spv1.0 "$root/cli/tests/cases/properties/version.spvasm" -o later.spv
    "$SPIRV_AS" --target-env spv1.3 "$root/capi/tests/interface.spvasm" -o interface.spv
    "$program" specialize -q interface.spv --set 0:false -o interface.plain.spv
    "$program" specialize -q interface.spv --set 0:false --keep-interface -o interface.kept.spv
    "$SPIRV_AS" --target-env spv1.5 "$root/cli/tests/cases/specialize/max-clones.spvasm" -o clones.spv
    # A module of the data tests, with the property sets beside it.
    kernels=$root/cli/tests/cases/specialize/entry-points.spvasm
    "$SPIRV_AS" --target-env spv1.4 "$kernels" -o kernels.spv
    sed -n '/^; FILE: %prop/,/^[^;]/s/^;   //p' "$kernels" >kernels.prop
    "$program" specialize -q kernels.spv --device intel_gpu_dg1 -o kernels.intel_gpu_dg1.spv
    printf 'shaders:\n  scale: {%s: fp16, %s: else}\n  precision: [%s]\nconstants:\n  precision: {use_half: true}\n' \
        "$fixtures"/merge/scale-fp16.spv "$fixtures"/merge/scale.spv "$fixtures"/spec/precision.spv >app.yaml
    "$program" bundle -q --manifest app.yaml -o app.spvb
    "$program" unbundle -q app.spvb -o bundled --device intel_gpu_bmg_g21
    # What calls.c and layer.cpp build.
    printf 'shaders:\n  scale: {%s: fp16, %s: else}\n  precision: [%s]\nconstants:\n  precision: {use_half: [true, false]}\n' \
        "$fixtures"/merge/scale-fp16.spv "$fixtures"/merge/scale.spv "$fixtures"/spec/precision.spv >ready.yaml
    "$program" bundle -q --manifest ready.yaml -o ready.spvb --ready --uncompressed --strip
    # Messages of refusals, with the functions in place of options.
    message() {
        local file=$1
        shift
        if "$program" specialize -q "$@" -o "$work/refused.spv" 2>"$work/log"; then die "accepted: $*"; fi
        sed -e '1s/^spirv-if: error: [^ ]*: //' -e 's/--trap silent/--trap/g' -e 's/--\(adapt\|lower\|trap\|trim\)/spvif_settings_\1/g' \
            -e 's/--extensions/the extensions/' -e 's/--set \([0-9]*\):true or --set [0-9]*:false/spvif_settings_set for SpecId \1/' \
            -e 's/--aspects, --capabilities, --limits and --architecture/the parts aspects, capabilities, limits and architecture of spvif_parts_set/' \
            -e 's/with --device,/with spvif_device_from_vulkan, spvif_device_by_name or spvif_device_from_parts,/' \
            -e 's/--unset keep/"keep" for spvif_settings_unset/' "$work/log" | tr -d '\n' >"$file"
    }
    message refused.txt "$fixtures/opencl/plain.spv" --device intel_gpu_acm_g10
    message lower.txt "$fixtures/traps/helper-O2.spv" --device intel_gpu_acm_g10
    message adapt.txt "$fixtures/adapted/hints.spv" --capabilities Kernel,Addresses,Linkage,Int64
    "$program" specialize -q "$fixtures/adapted/hints.spv" --adapt --capabilities Kernel,Addresses,Linkage,Int64 -o hints.adapted.spv
    message undecided.txt reduce.packed.spv --trim
    # Verdicts on a sample of modules and devices, the same in every run.
    sample() { shuf --random-source=<(yes verdicts) -n "$1"; }
    find "$fixtures" -name '*.spv' -printf '%P\n' | sort | sample 40 | while read -r module; do
        "$program" devices | cut -d ' ' -f 1 | sample 6 | while read -r device; do
            status=0
            "$program" specialize -q --strict "$fixtures/$module" --device "$device" --force -o "$work/verdict.spv" 2>"$work/log" || status=$?
            case $status in
            0) verdict=runs ;;
            3) if grep -q 'not known to run' "$work/log"; then verdict='not known'; else verdict='does not run'; fi ;;
            *) verdict=error ;;
            esac
            echo "$module $device $verdict"
        done
    done >verdicts.txt
    # Without the option, spirv-val refuses conditional entry points with variables (docs/merge.md).
    for module in *.spv; do "$SPIRV_VAL" --relax-logical-pointer "$module" || die "$module is invalid"; done
)

say "programs in C and C++"
# The headers and loaders of the drivers, whose libraries are for a newer C library than the system's.
libraries=$(dirname "$(find "$unpacked/usr/lib" -name 'libvulkan.so.1')")
mkdir -p "$work/headers"
for folder in vulkan vk_video CL; do ln -sfn "$unpacked/usr/include/$folder" "$work/headers/$folder"; done
configure() {
    cmake -Wno-unused-cli -G Ninja -S "$1" -B "$2" "${@:3}" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined \
        -DVulkan_INCLUDE_DIR="$work/headers" -DVulkan_LIBRARY="$libraries/libvulkan.so.1" \
        -DOpenCL_INCLUDE_DIR="$work/headers" -DOpenCL_LIBRARY="$libraries/libOpenCL.so.1" >"$work/log" || { cat "$work/log" && exit 1; }
}
# On 32-bit Windows as a compiler for 32-bit Linux sees it.
cc -m32 -ffreestanding -fsyntax-only -std=c99 -Wall -Wextra -Wpedantic -Werror -D_WIN32 '-D__stdcall=__attribute__((stdcall))' \
    -I capi/include capi/tests/convention.c
configure capi/tests "$work/tests"
cmake --build "$work/tests"
for kind in spirv-if static; do "$work/tests/calls-$kind" fixtures "$expected"; done
"$SPIRV_VAL" "$expected/linked.spv"
"$SPIRV_DIS" "$expected/linked.spv" >"$work/linked.spvasm"
# Both units are in it: what one of them imported, the other defines.
if grep -q '"other" Import' "$work/linked.spvasm"; then die "the linked module imports what it defines"; fi
"$work/tests/threads" fixtures
"$work/tests/layer" fixtures "$expected"
mkdir -p "$work/locale"
localedef -c -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8"
says=$(LOCPATH=$work/locale LC_ALL=de_DE.UTF-8 "$work/tests/layer" fixtures "$expected")
[[ $says == *"with a decimal ','" ]] || die "the C++ layer does not run where numbers have a comma: $says"
if readelf -d "$work/tests/calls-static" | grep -q spvif; then die "the target static links the shared library"; fi
(
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # shellcheck disable=SC2046 # words are options
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror capi/tests/calls.c $(pkg-config --cflags --libs spirv-if) "-Wl,-rpath,$prefix/lib" -o "$work/tests/calls-pkg-config"
    "$work/tests/calls-pkg-config" fixtures "$expected" >/dev/null
)

say "a package without the devices of drivers, in an absolute folder"
absolute=$work/absolute
rm -rf "$absolute"
build_package without-probe -DCMAKE_INSTALL_PREFIX="$absolute/prefix" -DCMAKE_INSTALL_LIBDIR="$absolute/libraries" -DSPIRV_IF_PROBE=OFF \
    -DSPIRV_IF_CARGO_PROFILE=dev
cmake --install "$work/without-probe" >"$work/log"
configure capi/tests/without-probe "$work/without-probe-tests" -Dspirv-if_DIR="$absolute/libraries/cmake/spirv-if"
cmake --build "$work/without-probe-tests"
for kind in spirv-if static; do "$work/without-probe-tests/main-$kind"; done
flags=$(PKG_CONFIG_PATH=$absolute/libraries/pkgconfig pkg-config --cflags --libs spirv-if)
[[ ${flags%% } == "-I$absolute/prefix/include -L$absolute/libraries -lspvif" ]] || die "for an absolute folder pkg-config says '$flags'"

say "the lean library"
lean=$work/lean
rm -rf "$lean"
build_package build-lean -DCMAKE_INSTALL_PREFIX="$lean" -DCMAKE_INSTALL_LIBDIR=lib -DSPIRV_IF_LEAN=ON
cmake --install "$work/build-lean" >"$work/log"
lean_bytes=$(stat -L -c %s "$lean/lib/libspvif.so")
# The functions of modules that a feature selects, but for those of drivers.
selected=$(sed -n '/^#\[cfg(feature/{n;s/^mod \(.*\);/capi\/src\/\1.rs/p}' capi/src/lib.rs)
# shellcheck disable=SC2086 # words are files
missing=$(sed -n 's/^pub .*extern "C" fn \(spvif_[a-z_]*\).*/\1/p' $selected | sort)
diff <(comm -23 <(echo "$declared") <(echo "$missing")) <(nm -D --defined-only "$lean/lib/libspvif.so" | awk '{ print $3 }' | sort) ||
    die "the lean library exports other functions than those of its modules"
configure capi/tests/lean "$work/lean-tests" -Dspirv-if_DIR="$lean/lib/cmake/spirv-if"
cmake --build "$work/lean-tests"
for kind in spirv-if static; do "$work/lean-tests/main-$kind" fixtures "$expected"; done
"$work/lean-tests/layer" "$expected"

say "drivers"
configure examples/c "$work/examples"
cmake --build "$work/examples"
(($(cat examples/c/vulkan.c | wc -l) <= 200 && $(cat examples/c/opencl.c | wc -l) <= 200)) || die "an example has more than 200 lines"
"$program" pack -q fixtures/vulkan/reduce.spv -o "$work/reduce.spv"
"$program" pack -q fixtures/drivers/chain.spv -o "$work/chain.spv"
# What a driver computes, in one line. Validation of Vulkan speaks up for what is not enabled.
computed() {
    local printed
    printed=$("$@" 2>&1) || die "$* failed: $printed"
    if grep -q Validation <<<"$printed"; then die "$*: $printed"; fi
    tail -n 1 <<<"$printed"
}
expect() { [[ $1 == "$2" ]] || die "expected '$2', and not '$1'"; }
lavapipe=$tools/drivers/vulkan-lavapipe
expect "$(computed "$lavapipe" "$work/examples/vulkan" "$work/reduce.spv")" '  computed in single precision, of 24 digits: 192'
expect "$(computed "$lavapipe" "$work/examples/vulkan" "$work/reduce.spv" half)" '  computed in half precision, of 11 digits: 192'
expect "$(computed "$lavapipe" "$work/examples/vulkan" "$work/reduce.spv" double)" '  computed in double precision, of 53 digits: 192'
expect "$(computed "$lavapipe" "$work/examples/vulkan" "$work/reduce.spv" half double)" '  computed in double precision, of 53 digits: 192'
# A module of more than a megabyte.
"$SPIRV_DIS" --raw-id "$work/reduce.spv" | awk '
    /OpSource/ && !done { for (text = "large"; length(text) < 40000; text = text text) {}
        for (done = 1; done <= 30; ++done) print "%large" done " = OpString \"" text "\"" }
    1' | "$SPIRV_AS" - --preserve-numeric-ids --target-env vulkan1.1 -o "$work/large.spv"
expect "$(computed "$lavapipe" "$work/examples/vulkan" "$work/large.spv" half)" '  computed in half precision, of 11 digits: 192'
# A module that needs what is not enabled is refused.
"$program" specialize -q "$work/reduce.spv" --capabilities Shader,Float64 --aspects fp64 -o "$work/double.spv"
# Without names nothing in it is conditional.
"$SPIRV_OPT" --strip-debug "$work/double.spv" -o "$work/double.spv"
status=0
printed=$("$lavapipe" "$work/examples/vulkan" "$work/double.spv" 2>&1) || status=$?
[[ $status == 3 && $printed == *'missing: Float64'* ]] || die "a device is not refused: $status, $printed"
expect "$(computed "$lavapipe" "$work/tests/enabled" "$work" reduce.spv)" 'what is enabled counts'
# The lean library has what the examples call.
configure examples/c "$work/lean-examples" -Dspirv-if_DIR="$lean/lib/cmake/spirv-if"
cmake --build "$work/lean-examples"
expect "$(computed "$lavapipe" "$work/lean-examples/vulkan" "$work/reduce.spv" half)" '  computed in half precision, of 11 digits: 192'
expect "$(computed "$tools/drivers/opencl-pocl" "$work/lean-examples/opencl" "$work/chain.spv")" '  computed with doubles: 2.2200274'
expect "$(computed "$tools/drivers/opencl-pocl" "$work/examples/opencl" "$work/chain.spv")" '  computed with doubles: 2.2200274'
if [[ -x $tools/drivers/opencl-intel ]]; then
    expect "$(computed "$tools/drivers/opencl-intel" "$work/examples/opencl" "$work/chain.spv")" \
        '  computed with half floats and doubles: 2.2197342'
fi

# The library itself loads nothing.
for name in opencl-pocl vulkan-lavapipe; do
    example=${name%-*}
    if [[ $example == opencl ]]; then module=chain.spv; else module=reduce.spv; fi
    LD_DEBUG=files "$tools/drivers/$name" "$work/examples/$example" "$work/$module" >"$work/log" 2>"$work/loads"
    grep -q 'dynamically loaded by' "$work/loads" || die "$example shows no library that is loaded"
    if grep 'dynamically loaded by.*libspvif' "$work/loads"; then die "the library loads another"; fi
done

say "the README's ways in"
# block LANGUAGE FILE [NUMBER]: the first block of a file in that language, or another one.
block() {
    awk -v fence="\`\`\`$1" -v number="${3:-1}" '$0 == fence { inside = ++count == number; next } /^```/ { inside = 0 } inside' "$2"
}
readme=$work/readme
rm -rf "$readme"
mkdir -p "$readme/src/bin"
ln -sfn "$root/fixtures" "$readme/fixtures"
"$program" pack -q fixtures/glsl/reduce.spv -o "$readme/packed.spv"
says="$(stat -c %s "$expected/reduce.intel_gpu_bmg_g21.spv") of $(stat -c %s "$expected/reduce.packed.spv") bytes"
# What the README shows, as a function that a program calls.
{
    printf '#include <%s>\n' fstream iostream iterator spvif.hpp
    echo 'static std::vector<uint32_t> failed(const spvif::Error &error) { std::cerr << error.message() << "\n"; return {}; }'
    block cpp README.md
    echo 'int main() {'
    echo '    std::ifstream file("packed.spv", std::ios::binary);'
    echo '    const std::vector<char> packed{std::istreambuf_iterator<char>(file), {}};'
    echo '    const auto device = spvif::Device::by_name("intel_gpu_bmg_g21");'
    echo '    const auto words = words_for(packed, *device);'
    echo '    std::cout << 4 * words.size() << " of " << packed.size() << " bytes\n";'
    echo '    return words.empty();'
    echo '}'
} >"$readme/readme.cpp"
c++ -std=c++17 -Wall -Wextra -Werror "$readme/readme.cpp" -I "$prefix/include" -L "$prefix/lib" -lspvif "-Wl,-rpath,$prefix/lib" -o "$readme/readme"
expect "$(cd "$readme" && ./readme)" "$says"
status=0
printed=$(cd "$readme/src" && "$readme/readme" 2>&1) || status=$?
[[ $status == 1 && $printed == 'the input is empty'* ]] || die "without its module the README's program ends with $status: $printed"
# What docs/c.md shows, as a function.
{
    echo '#include <spvif.hpp>' && echo 'int failed(const spvif::Error &);'
    echo 'constexpr uint32_t VK_API_VERSION_1_2 = 0x402000; struct Info {};'
    echo 'int run(const std::vector<char> &bytes, spvif_vulkan_get_instance_proc_addr vkGetInstanceProcAddr, void *instance, void *physical,'
    echo 'const Info &create_info) {' && block cpp docs/c.md && echo 'return words.data ? 0 : 1; }'
} | c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I "$prefix/include" -x c++ -
# What the guide for engines shows. Vulkan's headers of Debian stand beside those of its C library, which are not for this compiler.
mkdir "$readme/include"
cp -r "$unpacked"/usr/include/{vulkan,vk_video} "$readme/include"
{
    echo '#include <vulkan/vulkan.h>' && echo '#include <spvif.hpp>' && echo 'int failed(const spvif::Error &);'
    echo 'int run(const std::vector<char> &bytes, VkInstance instance, VkPhysicalDevice physical, VkDeviceCreateInfo &device_info,'
    echo 'VkComputePipelineCreateInfo &pipeline_info) {' && block cpp docs/vulkan-engines.md && echo 'return code.codeSize ? 0 : 1; }'
    echo 'VkResult create(const VkDeviceCreateInfo &info);'
    echo 'int enable(const std::vector<spvif::Module> &plain, const spvif::Device &supported) {'
    block cpp docs/vulkan-engines.md 2 && echo 'return create(info); }'
} | c++ -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Werror -fsyntax-only -I "$prefix/include" -I "$readme/include" -x c++ -
# rust_program FILE END: the block of a page as a program, with a last line.
rust_program() { echo 'fn main() -> Result<(), Box<dyn std::error::Error>> {' && block rust "$1" && echo "$2 Ok(()) }"; }
rust_program README.md 'println!("{} of {} bytes", 4 * words.len(), packed.len());' >"$readme/src/bin/readme.rs"
rust_program docs/rust.md '' >"$readme/src/bin/guide.rs"
sed 's/name = "embedded"/name = "readme"/' examples/build-systems/cargo/Cargo.toml >"$readme/Cargo.toml"
sed 's/name = "embedded"/name = "readme"/' examples/build-systems/cargo/Cargo.lock >"$readme/Cargo.lock"
features=$(block toml docs/rust.md | grep -o 'default-features = .*')
grep -qF "$features" "$readme/Cargo.toml" || die "the guide's program is built with other features than docs/rust.md has: $features"
for name in readme guide; do
    expect "$(cd "$readme" && cargo run --quiet --locked --target-dir "$root/target/example" --bin "$name")" "$says"
done

say "build systems"
capi/tests/build-systems.sh "$prefix" "$program"

# Without optimization, which makes valgrind see jumps that depend on nothing, and with the names of functions.
say "valgrind"
cargo build --quiet --package spirv-if-capi --locked
rm -rf "$work/plain" && mkdir "$work/plain"
ln -s "$root/target/debug/libspvif.so" "$work/plain/libspvif.so.$version"
# Tables that the library reads once and keeps are hash tables, to whose middle pointers lead: possibly lost, says valgrind.
checked() {
    LD_LIBRARY_PATH=$work/plain valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$@"
}
LD_LIBRARY_PATH=$work/plain ldd "$work/tests/threads" | grep -q "$work/plain" || die "valgrind would check another library"
checked "$work/tests/calls-spirv-if" fixtures "$expected" 40
checked "$work/tests/threads" fixtures
checked "$work/tests/layer" fixtures "$expected"
((bytes <= most_bytes)) || die "all else passed; $library has $bytes bytes, more than $most_bytes"
((lean_bytes <= most_lean_bytes)) || die "all else passed; the lean library has $lean_bytes bytes, more than $most_lean_bytes"
say "all passed; the library has $bytes bytes, the lean one $lean_bytes"
