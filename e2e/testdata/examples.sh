# Makes the records and files that examples of commands name. The functions keep IDs in variables.

# first reads JSON, and prints a field of the first record in a list, or of the record. The field is the ID if the argument is missing.
first() { node -p "const all = JSON.parse(require('fs').readFileSync(0)); (Array.isArray(all) ? all[0] : all).${1:-id}"; }

policy() {
  echo '{"name": "careful", "stages": [{"percentage": 5, "minDurationMinutes": 1}, {"percentage": 100}]}' >careful.json
  waft policies create careful.json
}

changes=0

# release changes dist and publishes it to a channel, with further flags.
release() {
  for bundle in dist/_expo/static/js/*/*.hbc; do echo "// $((++changes))" >>"$bundle"; done
  waft publish dist --channel "${1:-production}" "${@:2}"
  release=$(waft releases list --platform ios --json | first)
  build=$(waft builds list --platform ios --json | first)
}

rollout() {
  policy
  release production
  release production --policy careful
  rollout=$(waft rollouts list --json | first)
}

# flag creates a boolean flag, and colors a flag of the type string.
flag() { waft flags create --key "$1"; }
colors() { waft flags create --key checkout-color --type string --default blue; }
segment() { waft segments create 'Beta testers' --condition 'plan in ["beta"]'; }

# rules creates two rules of the flag checkout.
rules() {
  flag checkout
  waft flags rules add checkout --user ada@example.com --value true
  waft flags rules add checkout --share true=10 --share false=90
  first_rule=$(waft flags show checkout --json | first 'rules[0].id')
  second_rule=$(waft flags show checkout --json | first 'rules[1].id')
}

# errors makes devices report errors of a release.
errors() {
  release production
  waft simulate --devices 20 --launches 60 --js-error '*=100%'
  until waft errors list --release "$release" --json | grep -q fingerprint; do :; done
  until waft devices list --json | grep -q deviceId; do :; done
  error=$(waft errors list --json | first fingerprint)
  device=$(waft devices list --json | first deviceId)
}

# incident waits for an incident about such errors.
incident() {
  errors
  until waft incidents list --json | grep -q '"id"'; do :; done
  incident=$(waft incidents list --json | first)
}

# crashes makes devices crash with a release.
crashes() {
  release production
  waft simulate --devices 20 --launches 60 --crash '*=100%'
  until waft events --type crash --release "$release" --json | grep -q '"id"'; do :; done
}

webhook() {
  waft webhooks create https://example.com/waft --events '*'
  webhook=$(waft webhooks list --json | first)
}

# app makes an Expo app in a folder.
app() {
  mkdir -p "$1/node_modules/expo-updates"
  echo '{"expo": {"name": "Shop", "slug": "shop", "version": "1.0.0", "runtimeVersion": "1.0.0"}}' >"$1/app.json"
  echo '{"name": "shop", "dependencies": {"expo": "57.0.0", "expo-updates": "57.0.0"}}' >"$1/package.json"
  echo '{"name": "expo-updates", "version": "57.0.0"}' >"$1/node_modules/expo-updates/package.json"
}

# expo is a double of the commands that export an app, whose export is in dist already.
expo='case " $* " in *" config "*) echo "{\"runtimeVersion\": \"1.0.0\"}";; esac'

# native_build writes what a release build of Gradle for a variant leaves in the folder.
native_build() {
  local out=android/app/build/generated title=${1^}
  local updates=$out/assets/create${title}UpdatesResources bundles=$out/assets/createBundle${title}JsAndAssets maps=$out/sourcemaps/react/$1
  mkdir -p "$updates" "$bundles" "$maps" android/app/src/main/res/values
  echo "{\"id\": \"$(cat /proc/sys/kernel/random/uuid)\", \"commitTime\": 1, \"assets\": []}" >"$updates/app.manifest"
  echo "the bundle of $1" >"$bundles/index.android.bundle"
  source_map >"$maps/index.android.bundle.map"
  echo '<resources><string name="expo_runtime_version">1.0.0</string></resources>' >android/app/src/main/res/values/strings.xml
}

source_map() { echo '{"version": 3, "sources": ["/app/cart.js"], "names": [], "mappings": "AAAA"}'; }

# double puts a program in place of another.
double() {
  mkdir -p "$HOME/doubles"
  printf '#!/bin/sh\n%s\n' "$2" >"$HOME/doubles/$1"
  chmod +x "$HOME/doubles/$1"
  PATH="$HOME/doubles:$PATH"
}
