#!/usr/bin/env bash
# Checks the wheel for Python as users have it: builds it, installs it in a clean virtual environment, and uses the module and the program from
# there, with the example notebook, and a kernel that pyopencl runs on drivers.
#
#   scripts/test-python.sh [PROFILE]    of Cargo.toml, for the build; `dev` by default
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$root"
scripts/setup.sh drivers
cargo fmt --check --package spirv-if-python
cargo clippy --quiet --package spirv-if-python --locked -- -D warnings
work=$root/target/python-test
rm -rf "$work"
mkdir -p "$work"

say "building the wheel"
scripts/build.sh wheel "$work/wheels" "${1:-dev}"

say "installing it"
python3 -m venv "$work/clean"
export PIP_DISABLE_PIP_VERSION_CHECK=1
python=$work/clean/bin/python3
"$python" -m pip install --quiet "$work"/wheels/*.whl
# By itself, before anything else is there, and without what an environment may bring.
(cd "$work" && env -i "$work/clean/bin/spirv-if" --version && env -i "$python" -c 'import spirv_if; spirv_if.Device("pvc")')
"$python" -m pip install --quiet pyopencl==2026.1.4 numpy mypy==2.4.1 nbclient==0.11.0 ipykernel==7.4.0 auditwheel==6.8.2
if [[ $(uname -s) == Linux ]]; then
    say "the C library that it needs"
    "$python" -m auditwheel show "$work"/wheels/*.whl >"$work/auditwheel"
    grep -q "\"manylinux_2_17_$(uname -m)\"" "$work/auditwheel" || { cat "$work/auditwheel" && die "the wheel needs a newer system than manylinux2014"; }
fi

# From a folder without the sources.
cp python/tests/*.py "$work"
use_spirv_tools
for name in call-clones max-clones; do "$SPIRV_AS" --target-env spv1.5 "cli/tests/cases/specialize/$name.spvasm" -o "$work/$name.spv"; done
cd "$work"
say "the module"
FIXTURES=$root/fixtures PATH=$work/clean/bin:$PATH "$python" -m unittest --quiet test_module test_arguments test_objects
say "its types"
"$python" -m mypy --strict ./*.py
"$python" -m mypy --strict --package spirv_if
"$work/clean/bin/stubtest" spirv_if
say "the notebook"
"$python" run_notebook.py "$root/examples/python/first-steps.ipynb"
say "pyopencl on OpenCL drivers"
for driver in "$tools"/drivers/opencl-*; do
    "$driver" "$python" run_opencl.py "$root/fixtures/drivers/chain.spv"
done
say "a cluster"
"$python" -m pip install --quiet distributed==2026.8.0
"$python" "$root/examples/dask/many.py" "$root/fixtures/merge" "$root/fixtures/spec" --modules 500 --out "$work/many"
say "all passed: $(cd wheels && echo *.whl), of $(stat -c %s wheels/*.whl) bytes"
