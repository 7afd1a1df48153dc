#!/bin/sh
# Writes the digest behind each image's tag in docker-compose.yml and the Dockerfile, so that the
# same tag cannot become another image later. Docker asks the registries for the digests. Run it
# again after a change of a tag; a digest of an earlier run is asked for anew.
set -eu
cd "$(dirname "$0")/.."
files="docker-compose.yml Dockerfile"
images=$(sed -nE \
  -e 's/^ *image: ([^ @]+:[^ @]+)(@sha256:[0-9a-f]+)?$/\1/p' \
  -e 's/^FROM (--platform=[^ ]+ )?([^ @]+:[^ @]+)(@sha256:[0-9a-f]+)?( AS .*)?$/\2/p' \
  $files | grep -v '^waft:' | sort -u)
script=
for image in $images; do
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image")
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) ;;
    *) echo "pin-images.sh: $image: '$digest' is no digest" >&2; exit 1 ;;
  esac
  echo "$image@$digest"
  pattern=$(printf %s "$image" | sed 's/[.]/[.]/g')
  script="$script;s|( )$pattern(@sha256:[0-9a-f]+)?( AS .*)?\$|\\1$image@$digest\\3|"
done
# Nothing is written before all digests are known.
for file in $files; do
  sed -E "${script#;}" "$file" > "$file.pinned"
  cat "$file.pinned" > "$file"
  rm "$file.pinned"
done
