#!/usr/bin/env bash
# Runs the tests of Vulkan drivers on another machine, which has a GPU and its driver, and needs neither cargo nor a network.
#
#   scripts/drivers-elsewhere.sh build           here: brings all that the tests need together in target/elsewhere.tar.gz
#   scripts/drivers-elsewhere.sh run NAME [ICD]  there: in a copy of this checkout and of that file, runs the tests with the driver
#                                                that the file ICD describes, and writes a record to target/elsewhere/NAME.md
#
# NAME begins with `vulkan-`. Without ICD, NVIDIA's is looked for.
set -euo pipefail
# shellcheck source=scripts/packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

elsewhere=$root/target/elsewhere
# What NVIDIA's libraries need and a machine without displays may not have.
window_packages=(libxext6 libglvnd0)
# Libraries that programs and drivers open when they run, or that NVIDIA's need.
opened=(libvulkan.so.1 libX11.so.6 libXext.so.6 libGLdispatch.so.0)

# libraries_of FILE...: adds the libraries that they need, and those of these, to elsewhere/lib.
libraries_of() {
    local file
    for file; do
        "$unpacked/$loader" --library-path "$unpacked/usr/lib/$triplet" --list "$file" |
            awk -v folder="$unpacked/" 'index($3, folder) == 1 { print $3 }'
    done | sort -u | xargs -I{} cp -L {} "$elsewhere/lib"
}

build() {
    local name test
    "$root/scripts/setup-tools.sh"
    "$root/scripts/setup-drivers.sh"
    "$root/scripts/setup-ggml.sh"
    if ! is_done windows "${window_packages[@]}"; then
        prepare_apt
        bring "${window_packages[@]}"
        mark_done windows "${window_packages[@]}"
    fi
    rm -rf "$elsewhere"
    mkdir -p "$elsewhere"/{built/examples,lib,bin}

    say "building the tests"
    cd "$root"
    cargo build --quiet --locked --bins --examples
    test=$(cargo test --quiet --locked --test all --no-run --message-format json | python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("target", {}).get("name") == "all" and message.get("executable"): print(message["executable"])')
    strip "$test" -o "$elsewhere/built/tests"
    strip target/debug/spirv-if -o "$elsewhere/built/spirv-if"
    strip target/debug/examples/vulkan -o "$elsewhere/built/examples/vulkan"
    cp -r target/ggml "$elsewhere/ggml"

    find_loader
    cp -L "$unpacked/$loader" "$elsewhere/lib/loader"
    cp "$unpacked/usr/bin/spirv-val" "$elsewhere/bin/spirv-val.program"
    cp "$unpacked/usr/bin/vulkaninfo" "$elsewhere/built"
    libraries_of "$unpacked/usr/bin/spirv-val" "$elsewhere"/built/{tests,spirv-if,vulkaninfo}
    for name in "${opened[@]}"; do
        cp -L "$unpacked/usr/lib/$triplet/$name" "$elsewhere/lib"
        libraries_of "$unpacked/usr/lib/$triplet/$name"
    done
    cat >"$elsewhere/bin/spirv-val" <<'WRAPPER'
#!/bin/sh
here=$(cd "${0%/*}/.." && pwd)
exec "$here/lib/loader" --library-path "$here/lib" "$here/bin/spirv-val.program" "$@"
WRAPPER
    chmod +x "$elsewhere/bin/spirv-val"
    tar -C "$root/target" -czf "$elsewhere.tar.gz" elsewhere
    say "$(du -h "$elsewhere.tar.gz" | tr '\t' ' ')"
}

# The description of NVIDIA's driver: its own, or one that is written here, as containers often have the libraries alone.
nvidia_icd() {
    local file folder
    for file in /{usr/share,etc,usr/local/nvidia/share}/vulkan/icd.d/*nvidia*.json; do
        if [[ -r $file ]]; then
            printf '%s\n' "$file"
            return
        fi
    done
    for folder in ${LD_LIBRARY_PATH//:/ } /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib /usr/local/nvidia/lib64; do
        for file in "$folder"/lib{GLX,EGL}_nvidia.so.0; do
            if [[ -e $file ]]; then
                printf '{"file_format_version":"1.0.0","ICD":{"library_path":"%s","api_version":"1.3.0"}}\n' "$file" \
                    >"$elsewhere/nvidia_icd.json"
                printf '%s\n' "$elsewhere/nvidia_icd.json"
                return
            fi
        done
    done
    die "no NVIDIA driver for Vulkan: neither a file in /usr/share/vulkan/icd.d nor libGLX_nvidia.so.0"
}

# write_driver NAME ICD RUNNER: writes the program of the driver, in which RUNNER stands before the one to run.
write_driver() {
    local file=$root/target/tools/drivers/$1
    cat >"$file" <<WRAPPER
#!/bin/sh
lib='$elsewhere/lib'
system=\$LD_LIBRARY_PATH:/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/usr/local/nvidia/lib64
exec env OCL_ICD_VENDORS=/dev/null VK_DRIVER_FILES='$2' VK_ICD_FILENAMES='$2' VK_LOADER_LAYERS_DISABLE='~all~' $3 "\$@"
WRAPPER
    chmod +x "$file"
}

# probe NAME: asks the driver for its device; fails if there is none.
probe() {
    "$root/target/tools/drivers/$1" "$elsewhere/built/spirv-if" devices probe --vulkan >"$elsewhere/$1.yaml" &&
        [[ -s $elsewhere/$1.yaml ]]
}

run() {
    local name=$1 icd=${2:-} drivers=$root/target/tools/drivers record=$elsewhere/$1.md status=0 file
    [[ $name == vulkan-* ]] || die "$name: the tests know the interface by the name, which begins with vulkan-"
    [[ -r $elsewhere.tar.gz ]] || die "no $elsewhere.tar.gz: run '${0##*/} build' where the project can be built"
    rm -rf "$elsewhere"
    tar -C "$root/target" -xzf "$elsewhere.tar.gz"
    if [[ -z $icd ]]; then icd=$(nvidia_icd); fi
    say "the driver is that of $icd"
    mkdir -p "$drivers"
    rm -rf "$root/target/ggml"
    cp -r "$elsewhere/ggml" "$root/target/ggml"

    # Programs run with the C library that was brought, which is newer than most, and with the system's other libraries; or, if
    # the driver cannot bear that, as NVIDIA's, with the system's C library and what else was brought.
    cd "$root"
    mkdir "$elsewhere/beside"
    for file in "$elsewhere"/lib/*.so*; do
        case ${file##*/} in
        libc.so.* | libm.so.* | ld-linux*) ;;
        *) ln -s "$file" "$elsewhere/beside" ;;
        esac
    done
    write_driver "$name" "$icd" '"$lib/loader" --library-path "$lib:$system"'
    if ! probe "$name" 2>"$elsewhere/first.log"; then
        write_driver "$name" "$icd" 'LD_LIBRARY_PATH="$lib/../beside:$system"'
        probe "$name" || die "the driver cannot be asked: see what stands above; VK_LOADER_DEBUG=all tells more"
    fi
    # A driver that somebody else has may refuse packed modules in its own way, and one that has a file is compared with that.
    env -u CI -u CARGO_MANIFEST_DIR SPIRV_VAL="$elsewhere/bin/spirv-val" SPIRV_IF_BUILT="$elsewhere/built" \
        SPIRV_IF_DRIVER_RECORD="$elsewhere/$name.cases" "$elsewhere/built/tests" "drivers::$name" || status=$?
    {
        printf '# %s, %s\n\nBy `scripts/drivers-elsewhere.sh`. The device, as `spirv-if devices probe --vulkan` has it:\n\n' \
            "$name" "$(date -u +%F)"
        printf '```yaml\n%s\n```\n\n' "$(<"$elsewhere/$name.yaml")"
        cat "$elsewhere/$name.cases"
    } >"$record"
    say "the record is in $record"
    return "$status"
}

case ${1:-} in
build) build ;;
run) run "${2:?name the driver: vulkan-nvidia}" "${3:-}" ;;
*) die "what: build, or run NAME [ICD]?" ;;
esac
