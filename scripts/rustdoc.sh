#!/usr/bin/env bash
# Stands for rustdoc (RUSTDOC=scripts/rustdoc.sh) where examples in documents are tested: makes the documents too, for users and, with the
# links of private items, for those who read the code. They are made from what the tests were built from: `cargo doc` would check all
# dependencies once more, which takes half a minute of a processor.
set -euo pipefail

arguments=()
tests=
take() {
    while (($#)); do
        case $1 in
        --test) tests=yes ;;
        --test-run-directory) shift ;;
        # The examples use the library from outside; the documents are of the library itself.
        --extern)
            if [[ $2 != spirv_if=* ]]; then arguments+=("$1" "$2"); fi
            shift
            ;;
        *) arguments+=("$1") ;;
        esac
        shift
    done
}

take "$@"
if [[ -n $tests && " $* " == *" --crate-name spirv_if "* ]]; then
    documents=${CARGO_TARGET_DIR:-target}/doc
    rustdoc "${arguments[@]}" --output "$documents"
    rustdoc "${arguments[@]}" --output "$documents" --document-private-items
fi
exec rustdoc "$@"
