#!/usr/bin/env bash
# Checks that need other packages than test.sh brings: what the project depends on (deny.toml); whether the packages that `cargo package` makes
# are small, build, also with the oldest compiler that they promise, and can be installed and used, as those for Python (test-python.sh) and
# npm (test-web.sh); the tests of drivers as another machine runs them (drivers-elsewhere.sh); the logs of SARIF by its schema; modules in
# offload binaries by LLVM 22; the table of AMD's processors by clang 23; and the formatting and lints of the fuzz targets, which fuzz.sh runs. Needs
# npm and rustup.
#
#   scripts/test-packages.sh                 dependencies by licence, source and version; the package; the fuzz targets
#   scripts/test-packages.sh --advisories    the same, and known vulnerabilities of dependencies. Their database is cloned from the
#                                            network, so the CI workflow asks for it, and a machine without that network does not
#
# cargo-deny is built once, into target/tools, which takes minutes.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Bytes of the compressed package of the library. Tests, fixtures and documentation are ten times as much.
max_size=1500000

checks=(bans licenses sources)
case ${1:-} in
'') ;;
--advisories) checks+=(advisories) ;;
*) die "unknown option $1 (there is only --advisories)" ;;
esac

cd "$root"
scripts/setup.sh cargo-deny jsonschema amd
"$tools/bin/cargo-deny" --locked --workspace check "${checks[@]}" || die "see deny.toml for what dependencies must be like"

# What is not committed yet is packaged too, so that this can run before. In a folder of its own: what it builds would pass for builds of the
# checkout, and then nobody builds those again.
parts=(bundle inspect probe sycl)
cargo package --quiet --locked --allow-dirty --package=spirv-if{,-bundle,-cli,-inspect,-probe,-sycl} --target-dir target/packages ||
    die "what \`include\` in the Cargo.toml of a package takes does not build"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
size=$(stat -c %s "target/packages/package/spirv-if-$version.crate")
((size <= max_size)) || die "the package has $size bytes, more than $max_size: see \`include\` in Cargo.toml"

# The packages as users have them: the program installed and run, and the library in a program of theirs.
say "the packages, installed and used"
# Elsewhere: below this folder it would be of this workspace.
user=$(mktemp -d)
trap 'rm -rf "$user"' EXIT
package=$user/package
mkdir "$user/src"
cp -r "target/packages/package/spirv-if-$version" "$package"
patches=(--config "patch.crates-io.spirv-if.path='$package'")
for part in "${parts[@]}"; do
    cp -r "target/packages/package/spirv-if-$part-$version" "$user/$part"
    patches+=(--config "patch.crates-io.spirv-if-$part.path='$user/$part'")
done
cp -r "target/packages/package/spirv-if-cli-$version" "$user/cli"
# The library is not in the registry yet. What is resolved is on this machine already.
cargo install --quiet --offline --debug --path "$user/cli" "${patches[@]}" --root "$user/installed" --target-dir target/packages
cp fixtures/glsl/reduce.spv "$user"
cat >"$user/Cargo.toml" <<MANIFEST
[package]
name = "user"
edition = "2024"

[workspace]

[dependencies]
spirv-if = { path = "$package", default-features = false }
MANIFEST
cat >"$user/src/main.rs" <<'PROGRAM'
use spirv_if::{Device, Module, pack};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read("reduce.spv")?;
    let packed = pack(&Module::from_bytes(&bytes)?, &Default::default())?.words;
    let bytes: Vec<u8> = packed.iter().flat_map(|word| word.to_ne_bytes()).collect();
    std::fs::write("library.spv", bytes)?;
    // What needs another feature is refused, by its name.
    let error = Device::embedded("intel_gpu_pvc").expect_err("devices").to_string();
    assert!(error.contains("feature `devices`"), "{error}");
    Ok(())
}
PROGRAM
# What was resolved for the package is on this machine already.
cp Cargo.lock "$user"
(
    cd "$user"
    env -i installed/bin/spirv-if pack -q reduce.spv -o program.spv
    cargo run --quiet --offline --target-dir "$root/target/packages"
    cmp program.spv library.spv || die "the library packs in another way than the program"
)

oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
say "the library, with Rust $oldest, the oldest that it promises to do with"
if ! rustup run "$oldest" rustc --version >/dev/null 2>&1; then
    rustup toolchain install "$oldest" --profile minimal --no-self-update
fi
rustup run "$oldest" cargo check --quiet --lib --locked --manifest-path "$package/Cargo.toml" --target-dir target/oldest

# The logs of SARIF against its schema, by a validator that is not ours.
cargo build --quiet --locked
for arguments in 'check fixtures/check/hw-g.spv fixtures/check/hw.spv --fixed-targets intel_gpu_acm_g10' \
    'inspect fixtures/check/hw-g.spv fixtures/opencl/plain.spv --deny cap(Float64) --require-devices intel_gpu_acm_*'; do
    read -ra words <<<"$arguments"
    log=$(target/debug/spirv-if "${words[@]}" --format sarif) || true
    PYTHONPATH=$tools/jsonschema python3 cli/tests/validate_sarif.py <<<"$log"
done

scripts/test-offload.sh

scripts/amd.py check

# The tests of drivers, as a machine without cargo runs them.
scripts/drivers-elsewhere.sh test

# The packages for Python and npm, in clean folders.
scripts/test-python.sh
scripts/test-web.sh --node

cargo fmt --check --manifest-path fuzz/Cargo.toml
cargo clippy --quiet --all-targets --locked --manifest-path fuzz/Cargo.toml --target-dir target/fuzz/lints -- -D warnings
say "all passed; the package has $size bytes"
