#!/usr/bin/env bash
# Runs the tests of Vulkan drivers on another machine, which has a GPU and its driver, and needs neither cargo nor a network.
#
#   scripts/drivers-elsewhere.sh build [--gains] [--layer]
#                                                 here: brings all that the tests need together in target/elsewhere.tar.gz; with --gains also
#                                                 the benchmark of pipelines, and with --layer the Vulkan layer; each takes minutes to build
#   scripts/drivers-elsewhere.sh run NAME [ICD] [--search MINUTES SEED]
#                                                 there: in a copy of this checkout and of that file, runs the tests with the driver
#                                                 that the file ICD describes, and writes a record to target/elsewhere/NAME.md; then
#                                                 random programs from SEED on, on all cores, for so many minutes
#   scripts/drivers-elsewhere.sh gains NAME [ICD] [OPTION...]
#                                                 there, in the same way: runs that benchmark with its OPTIONs, and writes the table of
#                                                 docs/results/gains.md to target/elsewhere/NAME.gains.md and all figures to NAME.gains.csv; with
#                                                 --variants statistics and the regret of advice, which goes to NAME.gains.search.csv; with --lowered
#                                                 that of docs/lowering.md, without a file of figures
#   scripts/drivers-elsewhere.sh layer NAME [ICD] there, in the same way: runs the tests of the Vulkan layer, and measures what it takes for modules
#                                                 that it leaves alone
#   scripts/drivers-elsewhere.sh test             here: builds, unpacks the file in a copy of the checkout with another path, and runs
#                                                 everything there once, with lavapipe
#
# NAME begins with `vulkan-`. Without ICD, NVIDIA's is looked for. Random programs that fail are kept in target/search.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

elsewhere=$root/target/elsewhere
# A copy of the checkout, in which the tests are built, and which is gone then: a test that needs the path of the build fails here too.
checkout=$root/target/elsewhere-checkout
# What the tests start, by itself with the libraries that were brought.
programs=(spirv-val spirv-as spirv-dis spirv-opt glslangValidator)
# Libraries that programs and drivers open when they run, or that NVIDIA's need and a machine without displays may not have.
opened=(libvulkan.so.1 libVkLayer_khronos_validation.so libX11.so.6 libXext.so.6 libGLdispatch.so.0)

# libraries_of FILE...: adds the libraries that they need, and those of these, to elsewhere/lib.
libraries_of() {
    local file
    for file; do
        "$unpacked/$loader" --library-path "$unpacked/usr/lib/$triplet" --list "$file" |
            awk -v folder="$unpacked/" 'index($3, folder) == 1 { print $3 }'
    done | sort -u | xargs -I{} cp -L {} "$elsewhere/lib"
}

# copy_checkout FOLDER: copies what is in the checkout, with its times, by which cargo knows what is built.
copy_checkout() {
    rm -rf "$1"
    mkdir -p "$1"
    tar -C "$root" --exclude=./target --exclude=./fuzz/target --exclude=./.git -c . | tar -C "$1" -x
}

# executable NAME ARGUMENT...: prints the path of the test or benchmark that cargo builds with these arguments.
executable() {
    cargo "${@:2}" --quiet --locked --no-run --message-format json | python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("target", {}).get("name") == sys.argv[1] and message.get("executable"): print(message["executable"])' "$1"
}

build() {
    local name option gains='' layer=''
    for option; do
        case $option in
        --gains) gains=yes ;;
        --layer) layer=yes ;;
        *) die "unknown option $option (there are --gains and --layer)" ;;
        esac
    done
    "$root/scripts/setup.sh" spirv-tools glslang drivers ggml x11
    rm -rf "$elsewhere"
    mkdir -p "$elsewhere"/{built/examples,layers,lib,bin}

    say "building the tests"
    trap 'rm -rf "$checkout"' EXIT
    copy_checkout "$checkout"
    mkdir -p "$root/target/elsewhere-build"
    ln -s "$root/target/elsewhere-build" "$checkout/target"
    cd "$checkout"
    cargo build --quiet --locked --bins --examples
    strip "$(executable all test --test all)" -o "$elsewhere/built/tests"
    strip target/debug/spirv-if -o "$elsewhere/built/spirv-if"
    strip target/debug/examples/vulkan -o "$elsewhere/built/examples/vulkan"
    if [[ -n $gains ]]; then
        say "building the benchmark"
        strip "$(executable pipelines bench --bench pipelines)" -o "$elsewhere/built/pipelines"
    fi
    if [[ -n $layer ]]; then
        say "building the layer"
        mkdir "$elsewhere/built/deps"
        cargo build --quiet --locked --package spirv-if-vulkan-layer --example application
        cargo rustc --quiet --locked --package spirv-if-vulkan-layer --lib --crate-type cdylib --profile capi
        strip target/debug/examples/application -o "$elsewhere/built/examples/application"
        strip "$(executable vulkan_layer test --package spirv-if-vulkan-layer --test vulkan_layer)" -o "$elsewhere/built/deps/layer-tests"
        cp target/capi/libvk_layer_spirv_if.so "$elsewhere/built/deps"
    fi
    cd "$root"
    rm -r "$checkout"
    cp -rL target/ggml "$elsewhere/ggml"

    find_loader
    cp -L "$unpacked/$loader" "$elsewhere/lib/loader"
    cp "$unpacked/usr/bin/vulkaninfo" "$elsewhere/built"
    libraries_of "$elsewhere"/built/{tests,spirv-if,vulkaninfo}
    cp "$unpacked/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" "$elsewhere/layers"
    for name in "${opened[@]}"; do
        cp -L "$unpacked/usr/lib/$triplet/$name" "$elsewhere/lib"
        libraries_of "$unpacked/usr/lib/$triplet/$name"
    done
    for name in "${programs[@]}"; do
        cp -L "$unpacked/usr/bin/$name" "$elsewhere/bin/$name.program"
        libraries_of "$unpacked/usr/bin/$name"
        cat >"$elsewhere/bin/$name" <<'WRAPPER'
#!/bin/sh
here=$(cd "${0%/*}/.." && pwd)
exec "$here/lib/loader" --library-path "$here/lib" "$here/bin/${0##*/}.program" "$@"
WRAPPER
        chmod +x "$elsewhere/bin/$name"
    done
    tar -C "$root/target" -czf "$elsewhere.tar.gz" elsewhere
    say "$(du -h "$elsewhere.tar.gz" | tr '\t' ' ')"
}

# nvidia_icds: the descriptions of NVIDIA's driver: its own, and some that are written here, as containers often have the libraries
# alone, and not all that the one for windows needs.
nvidia_icds() {
    local file folder kind
    for file in /{usr/share,etc,usr/local/nvidia/share}/vulkan/icd.d/*nvidia*.json; do
        if [[ -r $file ]]; then printf '%s\n' "$file"; fi
    done
    for kind in GLX EGL; do
        for folder in ${LD_LIBRARY_PATH:+${LD_LIBRARY_PATH//:/ }} /usr/{lib/x86_64-linux-gnu,lib64,lib,local/nvidia/lib64}; do
            file=$folder/lib${kind}_nvidia.so.0
            if [[ -e $file ]]; then
                printf '{"file_format_version":"1.0.0","ICD":{"library_path":"%s","api_version":"1.3.0"}}\n' "$file" \
                    >"$elsewhere/nvidia_$kind.json"
                printf '%s\n' "$elsewhere/nvidia_$kind.json"
                break
            fi
        done
    done
}

# write_driver NAME ICD RUNNER: writes the programs of the driver, in which RUNNER stands before the one to run: drivers/NAME runs it under
# Khronos' validation, and layers/NAME with the layers that VK_LAYER_PATH and VK_INSTANCE_LAYERS name.
write_driver() {
    local folder kind
    local -A layers=(
        [drivers]="VK_LAYER_PATH='$elsewhere/layers' VK_LOADER_LAYERS_ENABLE='*validation' VK_LOADER_LAYERS_ALLOW='*validation'"
        [layers]="VK_LOADER_LAYERS_DISABLE='~implicit~'"
    )
    # A library that is described by its path may have those that it needs beside it.
    folder=$(sed -n 's,.*"library_path": *"\(/[^"]*\)/[^"/]*".*,\1,p' "$2")
    for kind in "${!layers[@]}"; do
        mkdir -p "$root/target/tools/$kind"
        cat >"$root/target/tools/$kind/$1" <<WRAPPER
#!/bin/sh
lib='$elsewhere/lib'
system=\$LD_LIBRARY_PATH:/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/usr/local/nvidia/lib64${folder:+:$folder}
exec env OCL_ICD_VENDORS=/dev/null VK_DRIVER_FILES='$2' VK_ICD_FILENAMES='$2' ${layers[$kind]} \\
    __GL_SHADER_DISK_CACHE=0 $3 "\$@"
WRAPPER
        chmod +x "$root/target/tools/$kind/$1"
    done
}

# probe NAME: asks the driver for its device; fails if there is none.
probe() {
    "$root/target/tools/drivers/$1" "$elsewhere/built/spirv-if" devices probe --vulkan >"$elsewhere/$1.yaml" &&
        [[ -s $elsewhere/$1.yaml ]]
}

# find_driver NAME ICD...: writes the program of the driver of the first description by which it has a device.
find_driver() {
    local name=$1 icd runner
    shift
    (($#)) || die "no NVIDIA driver for Vulkan: neither a file in /usr/share/vulkan/icd.d nor libGLX_nvidia.so.0"
    for icd; do
        # Programs run with the C library that was brought, which is newer than most, and with the system's other libraries; or, if
        # the driver cannot bear that, as NVIDIA's, with the system's C library and what else was brought, where the system has none.
        for runner in '"$lib/loader" --library-path "$lib:$system"' 'LD_LIBRARY_PATH="$lib/../beside:$system"' \
            'LD_LIBRARY_PATH="$system:$lib/../beside"'; do
            write_driver "$name" "$icd" "$runner"
            if probe "$name" 2>>"$elsewhere/probe.log"; then
                say "the driver is that of $icd, run by $runner"
                return
            fi
        done
    done
    cat "$elsewhere/probe.log" >&2
    die "the driver cannot be asked: see what stands above; VK_LOADER_DEBUG=all tells more"
}

# tests RECORD FILTER: runs those whose names have FILTER in them, and has them leave a record.
tests() {
    mkdir -p -m 700 "$elsewhere/runtime"
    env -u SPIRV_IF_TOOLS CARGO_MANIFEST_DIR="$root" XDG_RUNTIME_DIR="$elsewhere/runtime" \
        SPIRV_VAL="$elsewhere/bin/spirv-val" SPIRV_AS="$elsewhere/bin/spirv-as" \
        SPIRV_DIS="$elsewhere/bin/spirv-dis" SPIRV_OPT="$elsewhere/bin/spirv-opt" \
        GLSLANG="$elsewhere/bin/glslangValidator" SPIRV_IF_BUILT="$elsewhere/built" SPIRV_IF_DRIVER_RECORD="$elsewhere/$1" "$elsewhere/built/tests" "$2"
}

# prepare NAME ICD: unpacks what was built, and writes the program of the driver.
prepare() {
    local name=$1 icd=$2 file icds
    [[ $name == vulkan-* ]] || die "$name: the tests know the interface by the name, which begins with vulkan-"
    [[ -r $elsewhere.tar.gz ]] || die "no $elsewhere.tar.gz: run '${0##*/} build' where the project can be built"
    rm -rf "$elsewhere"
    tar -C "$root/target" -xzf "$elsewhere.tar.gz"
    rm -rf "$root/target/ggml"
    cp -r "$elsewhere/ggml" "$root/target/ggml"

    cd "$root"
    mkdir "$elsewhere/beside"
    for file in "$elsewhere"/lib/*.so*; do
        case ${file##*/} in
        libc.so.* | libm.so.* | ld-linux*) ;;
        *) ln -s "$file" "$elsewhere/beside" ;;
        esac
    done
    icds=("$icd")
    if [[ -z $icd ]]; then mapfile -t icds < <(nvidia_icds); fi
    find_driver "$name" "${icds[@]}"
}

gains() {
    local name=$1 icd='' result=$elsewhere/$1.gains
    shift
    if (($#)) && [[ $1 != --* ]]; then
        icd=$1
        shift
    fi
    prepare "$name" "$icd"
    [[ -x $elsewhere/built/pipelines ]] || die "$elsewhere.tar.gz has no benchmark: run '${0##*/} build --gains'"
    # The program of the driver runs it too: the system's C library may be older than that for which it was built.
    CARGO_MANIFEST_DIR="$root" "$root/target/tools/drivers/$name" "$elsewhere/built/pipelines" \
        --driver "$root/target/tools/drivers/$name" --csv "$result.csv" "$@" | tee "$result.md"
}

# The layer's tests say what they find; those that fail are for a person to judge, as drivers have other extensions.
layer() {
    local name=$1 status=0 module driver
    prepare "$name" "${2:-}"
    [[ -x $elsewhere/built/deps/layer-tests ]] || die "$elsewhere.tar.gz has no layer: run '${0##*/} build --layer'"
    # The tests say which layers there are.
    driver=$root/target/tools/layers/$name
    export VK_LAYER_PATH=$elsewhere/layers
    # A driver may take packed modules, and compute something wrong.
    CARGO_MANIFEST_DIR="$root" SPIRV_IF_LAYER_DRIVER="$driver" "$elsewhere/built/deps/layer-tests" --include-ignored \
        --skip without_the_layer || status=$?
    VK_LAYER_PATH=$root/target/layer-tests
    for module in rms_norm mul_mat_vec_q4_0; do
        say "$module"
        "$driver" "$elsewhere/built/examples/application" entrance=overhead layers=VK_LAYER_SPIRVIF_specialize \
            "module=$root/target/ggml/$module.spv" features=shaderInt16 rounds=300 || status=$?
    done
    return "$status"
}

run() {
    local name=$1 icd='' search='' record=$elsewhere/$1.md status=0
    shift
    if (($#)) && [[ $1 != --* ]]; then
        icd=$1
        shift
    fi
    if (($#)); then
        [[ $# -eq 3 && $1 == --search ]] || die "after the driver, there is only --search MINUTES SEED"
        search="$2 $3 $(nproc)"
    fi
    prepare "$name" "$icd"
    # A driver that somebody else has may refuse packed modules in its own way, and one that has a file is compared with that.
    tests "$name.cases" "drivers::$name" || status=$?
    if [[ -n $search ]]; then
        SPIRV_IF_SEARCH=$search tests "$name.programs" "search::$name" || status=$?
    fi
    {
        printf '# %s, %s\n\nBy `scripts/drivers-elsewhere.sh`. The device, as `spirv-if devices probe --vulkan` has it:\n\n' \
            "$name" "$(date -u +%F)"
        printf '```yaml\n%s\n```\n\n' "$(<"$elsewhere/$name.yaml")"
        cat "$elsewhere/$name.cases"
        if [[ -n $search ]]; then
            printf '\n## Random programs\n\n'
            cat "$elsewhere/$name.programs"
        fi
    } >"$record"
    say "the record is in $record"
    return "$status"
}

# Runs what was built as another machine does. The copy has nothing of the checkout's target but the one file.
test_it() {
    local there record icd
    build
    find_loader
    there=$(mktemp -d)
    # shellcheck disable=SC2064 # this folder, not a later one
    trap "rm -rf '$there'" EXIT
    record="$there/a checkout/target/elsewhere/vulkan-there.md"
    copy_checkout "$there/a checkout"
    mkdir "$there/a checkout/target"
    cp "$elsewhere.tar.gz" "$there/a checkout/target"
    icd=$there/lavapipe.json
    sed "s,libvulkan_lvp,$unpacked/usr/lib/$triplet/&," "$unpacked/usr/share/vulkan/icd.d/lvp_icd.json" >"$icd"
    "$there/a checkout/scripts/drivers-elsewhere.sh" run vulkan-there "$icd" --search 0 1 >&2
    grep -q '^| vulkan::reduce::packed::specialized | pass |' "$record" || die "no case has run elsewhere"
    grep -q '^| programs | [1-9]' "$record" || die "no random program has run elsewhere"
}

case ${1:-} in
build) build "${@:2}" ;;
layer) layer "${2:?name the driver: vulkan-nvidia}" "${@:3}" ;;
gains) gains "${2:?name the driver: vulkan-nvidia}" "${@:3}" ;;
test) test_it ;;
run) run "${2:?name the driver: vulkan-nvidia}" "${@:3}" ;;
*) die "what: build [--gains] [--layer], test, gains NAME [ICD] [OPTION...], layer NAME [ICD], or run NAME [ICD] [--search MINUTES SEED]?" ;;
esac
