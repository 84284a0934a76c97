#!/usr/bin/env bash
# Packs the revision of this action and installs the package, so that what runs is what was pinned.
set -euo pipefail
place="$RUNNER_TEMP/assay-lint"
mkdir -p "$place"
cd "$GITHUB_ACTION_PATH"
npm ci --ignore-scripts
npm pack --pack-destination "$place" # builds before it packs
npm install --prefix "$place" --omit=dev --no-save --ignore-scripts "$place"/assay-*.tgz
