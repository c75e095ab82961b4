#!/usr/bin/env bash
# Makes a book of the pages that docs/SUMMARY.md lists, with search, in target/book/html, and checks its links, and that plots have the measured figures.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"

scripts/setup-build-tools.sh --mdbook
python3 scripts/plots.py --check
python3 scripts/book.py stage target/book/src
"$tools/bin/mdbook" build
python3 scripts/book.py check target/book/html
say "wrote target/book/html/index.html"
