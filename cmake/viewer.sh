#!/usr/bin/env bash
# Builds the viewer's page, build/viewer/viewer.html, from tools/viewer/web with packages of npm.
# Usage: cmake/viewer.sh. Does nothing, quickly, when the page is up to date. Where npm is missing or cannot get its packages,
# an older page stays, or an empty one is left, and `tenon view` says how to get it; the rest of the build goes on.
set -euo pipefail
cd "$(dirname "$0")/.."
web=tools/viewer/web
out=build/viewer
mkdir -p $out

mark_of() { sha256sum "$@" | sha256sum | cut -d ' ' -f 1; }
sources=$(mark_of $web/*)
if [ -s $out/viewer.html ] && [ "$(cat $out/page.mark 2>/dev/null)" = "$sources" ]; then exit 0; fi

give_up() {
    echo "viewer: $1; 'tenon view' will not work (see $out/npm.log)" >&2
    [ -e $out/viewer.html ] || : >$out/viewer.html
    exit 0
}

command -v node >/dev/null && command -v npm >/dev/null || { echo "node or npm is missing" >$out/npm.log; give_up "no nodejs or npm"; }

# The packages are kept while the list of them is the same.
mkdir -p $out/work
packages=$(mark_of $web/package.json $web/package-lock.json)
if [ "$(cat $out/packages.mark 2>/dev/null)" != "$packages" ]; then
    echo "viewer: packages from npm"
    cp $web/package.json $web/package-lock.json $out/work/
    rm -f $out/packages.mark
    (cd $out/work && npm ci --no-audit --no-fund --no-progress --fetch-retries=1) >$out/npm.log 2>&1 ||
        give_up "npm cannot get its packages"
    echo "$packages" >$out/packages.mark
fi

cp $web/* $out/work/
(cd $out/work && node build.mjs ../viewer.new) >$out/npm.log 2>&1 || {
    tail -n 20 $out/npm.log >&2
    echo "viewer: the page cannot be built from $web" >&2
    exit 1
}
mv $out/viewer.new $out/viewer.html
echo "$sources" >$out/page.mark
