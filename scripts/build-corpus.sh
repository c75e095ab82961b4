#!/usr/bin/env bash
# Brings real modules into target/corpus, in a folder for each compiler that wrote them. What is there already is kept.
#
#   scripts/build-corpus.sh [COMPILER...]
#
#   ggml        glslang      the compute shaders inside Debian's libggml0-backend-vulkan
#   dpnp        DPC++        the SYCL kernels inside the dpnp package of PyPI (17,700 modules)
#   shaderc     spirv-opt    the fuzzing corpus of spirv-tools and tests of glslang, inside the shaderc-sys crate
#   clang       clang 22     some of hashcat's OpenCL kernels
#   builds      clang 22     some of these kernels, and those of ufo-filters and satdump, in four builds each: plain, optimized, with
#                            debug information, with another option
#   llvm-spirv  LLVM/SPIR-V translator   the same kernels, and libclc as Debian ships it
#   glslang     glslang      the GLSL fixtures, for every version of Vulkan
#   naga        naga         the WGSL sources in scripts/corpus, for three versions of SPIR-V, plain and with debug information
#   slang       slangc       the same sources, and ggml's shaders, as naga and spirv-cross write them in HLSL
#   programs    glslang      the shaders inside GTK 4, DXVK, vkQuake, RetroArch, vkBasalt, MangoHud, vkmark, vkcube, Khronos' validation layer and
#                            Mesa's drivers, as Debian ships them
#   neo         igc          the built-in kernels inside Intel's compute runtime, as Debian ships it
#   iree        MLIR         what IREE makes of scripts/corpus/*.mlir for several GPUs
#   taichi      Taichi       what Taichi makes of scripts/corpus/taichi_kernels.py, on lavapipe
#
# `large` instead makes the large inputs that speed is measured on, in target/large: modules of 7 MB or more, from hashcat's WPA kernel, which brings its
# hash functions in every variant.
#
#   large.spv              as hashcat has it
#   large-conditional.spv  the same and corpus/large-conditional.cl, which calls some of those functions conditionally
#   inspect-1.spv ...      modules of about 1, 2 and 4 MB, of some of the same functions
#   link-1.spv ...         the first of those three times, each time with other names for what it exports
set -euo pipefail
# shellcheck source=scripts/setup/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup/packages.sh"

corpus=$root/target/corpus
# What is fetched and made on the way.
work=$root/target/corpus-work
# One in so many of hashcat's kernels is taken: there are 1,470.
kernels_step=30

# modules_in PREFIX FILE FOLDER: writes the modules inside a file to FOLDER/PREFIX-NUMBER.spv.
modules_in() {
    cargo run --quiet --release --locked -- inspect --quiet --format json "$2" >"$work/modules.json" ||
        say "$2: not every module in it is understood"
    python3 - "$@" "$work/modules.json" <<'PYTHON'
import json, pathlib, sys

prefix, file, folder, found = sys.argv[1:]
data = pathlib.Path(file).read_bytes()
text = pathlib.Path(found).read_text()
files = json.loads(text)["files"] if text else []
modules = [module for file in files for module in file["modules"]]
for count, module in enumerate(modules, 1):
    inside = data[module["offset"] : module["offset"] + module["size"]]
    pathlib.Path(folder, f"{prefix}-{count:05}.spv").write_bytes(inside)
PYTHON
}

# Keeps a result that is there and not empty, or tells that the compiler did not manage.
failed=0
keep() { if [[ -s $1 ]]; then mv "$1" "$2"; else failed=$((failed + 1)) && rm -f "$1"; fi; }

build_ggml() {
    local library
    library=$(find "$tools/root/usr/lib" -name libggml-vulkan.so -print -quit)
    modules_in ggml "$library" "$out"
}

build_dpnp() {
    local library name
    python3 -m pip download --quiet --no-deps --dest "$work/dpnp" dpnp
    python3 -m zipfile -e "$work"/dpnp/dpnp-*.whl "$work/dpnp"
    while IFS= read -r library; do
        name=$(basename "$library")
        modules_in "${name%%.*}" "$library" "$out"
    done < <(find "$work/dpnp/dpnp" -name '*.so' | sort)
}

build_shaderc() {
    local package=$work/shaderc manifest
    mkdir -p "$package/src"
    : >"$package/src/lib.rs"
    # A workspace of its own: it stands below another.
    printf '[package]\nname = "corpus"\nedition = "2024"\n[dependencies]\nshaderc-sys = "0.10"\n[workspace]\n' \
        >"$package/Cargo.toml"
    manifest=$(cargo metadata --quiet --format-version 1 --manifest-path "$package/Cargo.toml" | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["name"] == "shaderc-sys": print(package["manifest_path"])')
    find "$(dirname "$manifest")" -name '*.spv' -exec cp {} "$out" \;
}

# What hashcat's host program defines for its kernels.
defines=(-D KERNEL_STATIC -D INCLUDE_PATH=. -D 'XM2S(x)=#x' -D 'M2S(x)=XM2S(x)' -D DGST_ELEM=4 -D DGST_R0=0 -D DGST_R1=1 -D DGST_R2=2
    -D DGST_R3=3 -D VECT_SIZE=1 -D ATTACK_EXEC=11 -cl-std=CL2.0 -w)
hashcat=$unpacked/usr/share/hashcat/OpenCL

# hashcat's kernels with their functions static, so that what they do not call is left out.
prepare_kernels() {
    kernels=$work/hashcat
    rm -rf "$kernels"
    cp -r "$hashcat" "$kernels"
    sed -i 's/^#define DECLSPEC$/#define DECLSPEC static/' "$kernels/inc_vendor.h"
    cd "$kernels"
}

build_clang() {
    local source name
    prepare_kernels
    for source in $(printf '%s\n' m*.cl | awk -v step=$kernels_step 'NR % step == 0'); do
        name=${source%.cl}
        clang --target=spirv64v1.2 -O1 "${defines[@]}" -c "$source" -o "$out/$name.part" 2>/dev/null || true
        keep "$out/$name.part" "$out/$name.spv"
    done
}

# four SOURCE OPTION [CLANG-OPTION...]: builds of a kernel, one of them with OPTION.
four() {
    local source=$1 option=$2 name build
    name=$(basename "$source" .cl)
    for build in '-O0' '-O2' '-O2 -g' "-O2 $option"; do
        # shellcheck disable=SC2086 # these are several options
        clang --target=spirv64v1.2 -cl-std=CL2.0 -w "${@:3}" $build -c "$source" -o "$out/$name.part" 2>/dev/null || true
        keep "$out/$name.part" "$out/$name${build//[ =]/}.spv"
    done
}

build_builds() {
    local source folder
    for folder in "$tools"/root/usr/share/{ufo,satdump/resources/opencl}; do
        for source in "$folder"/*.cl; do four "$source" -cl-fast-relaxed-math -I "$folder"; done
    done
    prepare_kernels
    for source in $(printf '%s\n' m*.cl | awk -v step=$((2 * kernels_step)) 'NR % step == 0'); do
        four "$source" '-D VECT_SIZE=2' "${defines[@]}"
    done
}

build_llvm-spirv() {
    local source name
    prepare_kernels
    for source in $(printf '%s\n' m*.cl | awk -v step=$kernels_step 'NR % step == 0'); do
        name=${source%.cl}
        clang --target=spir64 -emit-llvm -O1 "${defines[@]}" -c "$source" -o "$work/kernel.bc" 2>/dev/null || continue
        llvm-spirv "$work/kernel.bc" -o "$out/$name.part" 2>/dev/null || true
        keep "$out/$name.part" "$out/$name.spv"
    done
    find "$tools/root/usr/lib/clc" -name '*.spv' -exec cp {} "$out" \;
}

build_glslang() {
    local environment source name
    for environment in vulkan1.0 vulkan1.1 vulkan1.2 vulkan1.3; do
        for source in "$root"/fixtures/glsl/*.{comp,frag}; do
            name=$(basename "$source")-$environment
            glslangValidator --quiet -V --target-env "$environment" "$source" -o "$out/$name.part" >/dev/null || true
            keep "$out/$name.part" "$out/$name.spv"
        done
    done
}

build_naga() {
    local version source name
    for version in 1.0 1.3 1.6; do
        for source in "$root"/scripts/corpus/*.wgsl; do
            name=$(basename "$source" .wgsl)-$version
            for debug in '' -g; do
                naga $debug --capabilities all --spirv-version "$version" --input-kind wgsl "$source" \
                    "$work/part.spv" >/dev/null 2>&1 || true
                keep "$work/part.spv" "$out/$name$debug.spv"
            done
        done
    done
}

# slang SOURCE STAGE NAME
slang() {
    slangc "$1" -lang hlsl -target spirv -O0 -entry main -stage "$2" -o "$out/$3.part" >/dev/null 2>&1 || true
    keep "$out/$3.part" "$out/$3.spv"
}

build_slang() {
    local source name
    [[ -f $corpus/ggml/done ]] || die "slang's modules are made from those of ggml: build these first"
    for source in "$root"/scripts/corpus/*.wgsl; do
        name=$(basename "$source" .wgsl)
        naga --capabilities all "$source" "$work/part.hlsl" >/dev/null 2>&1 || continue
        slang "$work/part.hlsl" "$(sed -n 's/^@\(compute\|vertex\|fragment\).*/\1/p' "$source")" "$name"
    done
    for source in "$corpus"/ggml/*.spv; do
        name=$(basename "$source" .spv)
        spirv-cross --hlsl --shader-model 62 --hlsl-enable-16bit-types "$source" --output "$work/part.hlsl" \
            >/dev/null 2>&1 || continue
        slang "$work/part.hlsl" compute "$name"
    done
}

# distinct FOLDER: keeps the first of equal modules.
distinct() { (cd "$1" && sha1sum ./*.spv | sort | awk 'seen[$1]++ { print $2 }' | xargs -r rm); }

# Packages whose files have modules inside. They are unpacked alone: nothing of them runs.
programs_packages=(libgtk-4-1 libdxvk-d3d9-0 libdxvk-d3d11-0 vkquake retroarch vkbasalt mangohud vkmark vulkan-tools vulkan-validationlayers
    mesa-vulkan-drivers)
neo_packages=(intel-opencl-icd)

# modules_of PACKAGE...: writes the modules inside the files of packages.
modules_of() {
    local package folder file
    for package; do
        folder=$work/$package
        rm -rf "$folder"
        bring_alone "$package" "$folder"
        while IFS= read -r file; do
            modules_in "$package-$(basename "$file")" "$file" "$out"
        done < <(find "$folder" -type f \( -path '*/lib/*' -name '*.so*' -o -path '*/bin/*' -o -path '*/games/*' -o -name '*.spv' \) -print0 |
            xargs -0 grep -lF $'\x03\x02\x23\x07' | sort)
    done
    distinct "$out"
}

build_programs() { modules_of "${programs_packages[@]}"; }
build_neo() { modules_of "${neo_packages[@]}"; }

# Brings packages of PyPI that run, with what they depend on.
python_packages() {
    python3 -m venv "$work/$1"
    "$work/$1/bin/pip" --quiet --disable-pip-version-check install "${@:2}"
}

build_iree() {
    local source target name
    python_packages iree iree-base-compiler
    for source in "$root"/scripts/corpus/*.mlir; do
        for target in rdna3 ampere adreno valhall; do
            name=$(basename "$source" .mlir)-$target
            "$work/iree/bin/iree-compile" --iree-hal-target-device=vulkan "--iree-vulkan-target=$target" "$source" -o "$work/iree.vmfb"
            modules_in "$name" "$work/iree.vmfb" "$out"
        done
    done
    distinct "$out"
}

build_taichi() {
    "$root/scripts/setup.sh" drivers
    python_packages taichi taichi
    "$tools/drivers/vulkan-lavapipe" "$work/taichi/bin/python" "$root/scripts/corpus/taichi_kernels.py" "$out"
}

# large_module NAME SOURCE SMALLEST: makes large/NAME.spv, of at least so many bytes. What is there already is kept.
large_module() {
    [[ ! -f $large/$1.spv ]] || return 0
    say "$1"
    (cd "$hashcat" && clang --target=spirv64v1.2 "${defines[@]}" -O0 -I . -c "$2" -o "$large/$1.part")
    "$tools/bin/spirv-val" --target-env spv1.2 "$large/$1.part" || die "$1 is not valid"
    (($(wc -c <"$large/$1.part") >= $3)) || die "$1 is smaller than $3 bytes"
    mv "$large/$1.part" "$large/$1.spv"
}

# large_part NAME SMALLEST FILE...: makes a module of some of hashcat's files. What is only declared in them stands in inc_common.cl, which alone makes
# 6 MB.
large_part() {
    local name=$1 smallest=$2
    printf '#include "%s"\n' inc_vendor.h inc_types.h inc_platform.cl "${@:3}" >"$large/$name.cl"
    large_module "$name" "$large/$name.cl" "$smallest"
}

# renamed NUMBER: a copy of inspect-1 in which the first letter of each exported name is this number.
renamed() {
    [[ ! -f $large/link-$1.spv ]] || return 0
    say "link-$1"
    python3 - "$large/inspect-1.spv" "$large/link-$1.part" "$1" <<'PYTHON'
import array, sys

LINKAGE_ATTRIBUTES, EXPORT = 41, 0
OP_ENTRY_POINT, OP_DECORATE = 15, 71
source, target, number = sys.argv[1:]
words = array.array("I", open(source, "rb").read())
at = 5
while at < len(words):
    count, opcode = words[at] >> 16, words[at] & 0xFFFF
    inst = words[at : at + count]
    if opcode == OP_ENTRY_POINT or (opcode == OP_DECORATE and inst[2] == LINKAGE_ATTRIBUTES and inst[-1] == EXPORT):
        words[at + 3] = words[at + 3] & ~0xFF | ord(number)
    at += count
open(target, "wb").write(words.tobytes())
PYTHON
    mv "$large/link-$1.part" "$large/link-$1.spv"
}

# The large inputs.
build_large() {
    local number
    large=$root/target/large
    mkdir -p "$large"
    large_module large m22000-pure.cl 7000000
    large_part inspect-1 900000 inc_hash_sha256.cl inc_cipher_aes.cl
    large_part inspect-2 1800000 inc_hash_md5.cl inc_hash_sha1.cl inc_hash_sha256.cl inc_cipher_aes.cl inc_hash_md4.cl
    large_part inspect-4 3500000 inc_hash_md5.cl inc_hash_sha1.cl inc_hash_sha256.cl inc_cipher_aes.cl inc_hash_md4.cl \
        inc_hash_sha512.cl inc_hash_sha224.cl inc_hash_sha384.cl inc_hash_ripemd160.cl
    large_module large-conditional "$root/scripts/corpus/large-conditional.cl" 7000000
    for number in 1 2 3; do renamed "$number"; done
}

compilers=(ggml dpnp shaderc clang builds llvm-spirv glslang naga slang programs neo iree taichi)
(($#)) || set -- "${compilers[@]}"
export PATH=$tools/bin:$PATH
if [[ $* == large ]]; then
    "$root/scripts/setup.sh" spirv-tools clang hashcat
    build_large
    exit
fi
"$root/scripts/setup.sh" corpus
for compiler; do
    [[ " ${compilers[*]} " == *" $compiler "* ]] || die "no compiler $compiler: there are ${compilers[*]}"
    out=$corpus/$compiler
    if [[ ! -f $out/done ]]; then
        rm -rf "$out"
        mkdir -p "$out" "$work"
        failed=0
        "build_$compiler"
        : >"$out/done"
        say "$compiler: $(find "$out" -name '*.spv' | wc -l) modules, $failed not compiled"
    fi
done
