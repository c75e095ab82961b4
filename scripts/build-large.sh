#!/usr/bin/env bash
# Makes the large inputs that speed is measured on, in target/large: modules of 7 MB or more, from hashcat's WPA kernel, which
# brings its hash functions in every variant.
#
#   large.spv              as hashcat has it
#   large-conditional.spv  the same and large-conditional.cl, which calls some of those functions conditionally
#   inspect-1.spv ...      modules of about 1, 2 and 4 MB, of some of the same functions
#   link-1.spv ...         the first of those three times, each time with other names for what it exports
#
# Modules that are there already are kept.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

out=$root/target/large

# build NAME SOURCE [SMALLEST]: makes NAME.spv, of at least so many bytes. The defines are what hashcat's host program passes for this kernel.
build() {
    local name=$1 source=$2 smallest=${3:-7000000}
    [[ ! -f $out/$name.spv ]] || return 0
    say "$name"
    (cd "$hashcat" && clang --target=spirv64v1.2 -cl-std=CL2.0 -O0 -w -I . -D KERNEL_STATIC -D INCLUDE_PATH=. \
        -D 'XM2S(x)=#x' -D 'M2S(x)=XM2S(x)' -D DGST_ELEM=4 -D DGST_R0=0 -D DGST_R1=1 -D DGST_R2=2 -D DGST_R3=3 \
        -D VECT_SIZE=1 -D ATTACK_EXEC=11 -c "$source" -o "$out/$name.part")
    "$SPIRV_VAL" --target-env spv1.2 "$out/$name.part" || die "$name is not valid"
    (($(wc -c <"$out/$name.part") >= smallest)) || die "$name is smaller than $smallest bytes"
    mv "$out/$name.part" "$out/$name.spv"
}

"$root/scripts/setup-tools.sh" --compilers
export PATH=$tools/bin:$PATH
use_spirv_tools
hashcat=$tools/root/usr/share/hashcat/OpenCL
mkdir -p "$out"
build large m22000-pure.cl
# What is only declared here stands in inc_common.cl, which alone makes 6 MB.
build_parts() {
    local name=$1 smallest=$2 part
    shift 2
    for part in inc_vendor.h inc_types.h inc_platform.cl "$@"; do
        echo "#include \"$part\""
    done >"$out/$name.cl"
    build "$name" "$out/$name.cl" "$smallest"
}
build_parts inspect-1 900000 inc_hash_sha256.cl inc_cipher_aes.cl
build_parts inspect-2 1800000 inc_hash_md5.cl inc_hash_sha1.cl inc_hash_sha256.cl inc_cipher_aes.cl inc_hash_md4.cl
build_parts inspect-4 3500000 inc_hash_md5.cl inc_hash_sha1.cl inc_hash_sha256.cl inc_cipher_aes.cl inc_hash_md4.cl \
    inc_hash_sha512.cl inc_hash_sha224.cl inc_hash_sha384.cl inc_hash_ripemd160.cl
build large-conditional "$root/scripts/large-conditional.cl"

# renamed NUMBER: a copy of inspect-1 in which the first letter of each exported name is this number.
renamed() {
    [[ ! -f $out/link-$1.spv ]] || return 0
    say "link-$1"
    python3 - "$out/inspect-1.spv" "$out/link-$1.part" "$1" <<'PYTHON'
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
    mv "$out/link-$1.part" "$out/link-$1.spv"
}
for number in 1 2 3; do
    renamed "$number"
done
