# shellcheck shell=bash
# What the scripts of this folder share: a temporary folder for everything, with packages of Debian unstable in it. Sourced, never run.
set -euo pipefail
shopt -s inherit_errexit
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/setup/packages.sh
source "$root/scripts/setup/packages.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tools=$folder apt=$folder/apt unpacked=$folder/root

# bring_packages PACKAGE...: brings them, each with a version.
bring_packages() {
    bring "$@"
    find_loader
}

# in_root PROGRAM ARGUMENT...: runs a program of the packages with their libraries.
in_root() { "$unpacked/$loader" --library-path "$unpacked/usr/lib/$triplet" "$unpacked/usr/bin/$1" "${@:2}"; }

# changed WHAT: says that the answer is another one.
changed() {
    echo "$1 now" >&2
    exit 1
}
