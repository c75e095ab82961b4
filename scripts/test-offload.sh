#!/usr/bin/env bash
# Compares the modules that `spirv-if` finds in offload binaries by their targets with those that LLVM 22's llvm-offload-binary extracts:
# in files of its own, one after the other, and in sections of an object file.
#
#   scripts/test-offload.sh             compares
#   scripts/test-offload.sh --fixture   writes fixtures/opencl/offload.bin anew
#
# llvm-offload-binary comes from Debian unstable, into target/tools.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$root/scripts/setup.sh" llvm
find_loader
llvm() {
    local root=$unpacked
    "$root/$loader" --library-path "$root/usr/lib/$triplet:$root/lib/$triplet" "$root/usr/lib/llvm-22/bin/$1" "${@:2}"
}

cd "$root"
images=(--image=file=fixtures/opencl/plain.spv,triple=spirv64-intel-unknown,arch=bmg_g21,kind=sycl
    --image=file=fixtures/check/hw.spv,triple=spirv64-unknown-unknown,arch=generic)
if [[ ${1:-} == --fixture ]]; then
    llvm llvm-offload-binary -o fixtures/opencl/offload.bin "${images[@]}"
    exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --quiet --locked
llvm llvm-offload-binary -o "$folder/two.bin" "${images[@]}"
cmp "$folder/two.bin" fixtures/opencl/offload.bin || die "LLVM writes another file than the fixture: --fixture writes it"
llvm llvm-offload-binary -o "$folder/third.bin" --image=file=fixtures/opencl/many.spv,triple=spirv32,arch=third
cat "$folder/two.bin" "$folder/third.bin" >"$folder/three.bin"
printf 'int main(void) { return 0; }' | cc -x c -c -o "$folder/host.o" -
llvm llvm-objcopy --add-section ".llvm.offloading=$folder/three.bin" --set-section-flags .llvm.offloading=exclude \
    --set-section-type .llvm.offloading=0x6fff4c0b \
    "$folder/host.o" "$folder/fat.o"
compared=0
for file in two.bin three.bin fat.o; do
    for arch in bmg_g21 generic third; do
        [[ $file$arch != two.binthird ]] || continue
        rm -f "$folder/theirs.spv"
        llvm llvm-offload-binary "$folder/$file" --image="file=$folder/theirs.spv,arch=$arch"
        report=$(target/debug/spirv-if inspect "$folder/$file:$arch" --format json)
        read -r offset size <<<"$(python3 -c '
import json, sys
(module,) = json.load(sys.stdin)["files"][0]["modules"]
print(module["offset"], module["size"])' <<<"$report")"
        [[ -f $folder/theirs.spv ]] || die "$file: llvm-offload-binary has no module for $arch"
        if (($(stat -c %s "$folder/theirs.spv") != size)) ||
            ! cmp -n "$size" -i "$offset:0" "$folder/$file" "$folder/theirs.spv"; then
            die "$file: another module for $arch"
        fi
        ((++compared))
    done
done
say "$compared modules are those of $(llvm llvm-offload-binary --version | head -n 1)"
