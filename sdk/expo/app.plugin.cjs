// The Expo config plugin. It adds the settings to the app config that expo-updates needs to get its updates from Waft. It is CommonJS,
// because Expo's tools load it with `require`, and not every Node.js can `require` an ES module.
//
//   "plugins": [["@waft/expo", { "url": "https://ota.example.com", "project": "my-app", "channel": "production" }]]

const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const { applied } = require('./native/gradle.cjs');
const { setPhase } = require('./native/xcode.cjs');
const own = require('./package.json');

/** Lines for ios/.xcode.env, which Xcode reads before it bundles the app. Android's Gradle plugin needs no setting. */
const xcodeSettings = `
# From @waft/expo: Xcode writes the source map of a release build, which \`waft builds add-embedded\` uploads.
if [ -n "$PODS_ROOT" ] && [ -z "$SOURCEMAP_FILE" ]; then
  export SOURCEMAP_FILE="$PODS_ROOT/../build/waft/main.jsbundle.map"
  mkdir -p "$PODS_ROOT/../build/waft"
fi
`;

/** Adds the lines to .xcode.env in the folder of the Xcode project, unless it has them. */
function keepSourceMap(folder) {
  const file = join(folder, '.xcode.env');
  if (!existsSync(file) || !readFileSync(file, 'utf8').includes(xcodeSettings)) {
    appendFileSync(file, xcodeSettings);
  }
}

/** Returns the mods of a config with one that changes a file of the native projects. `expo prebuild` runs them. */
function withMod(mods, platform, name, change) {
  const others = mods?.[platform]?.[name];
  const mod = async (props) => {
    change(props);
    return others ? others(props) : props;
  };
  return { ...mods, [platform]: { ...mods?.[platform], [name]: mod } };
}

/** Makes android/app/build.gradle upload source maps, or not if `settings` is undefined. */
function changeGradle({ modResults }, settings) {
  if (modResults.language === 'groovy') {
    modResults.contents = applied(modResults.contents, settings);
  } else if (settings) {
    warn(
      'android/app/build.gradle.kts is Kotlin, which the plugin does not change, so a release build does not upload its source map; ' +
      'add the lines for Kotlin in docs/guides/apps/source-maps.md of Waft, or set "uploadSourceMaps" to false',
    );
  }
}

/** Makes Xcode upload source maps, or not if `settings` is undefined. */
function changeXcode({ modResults }, settings) {
  if (setPhase(modResults, settings) === 0 && settings) {
    warn('the Xcode project has no phase "Bundle React Native code and images", so a release build does not upload its source map');
  }
}

/** Returns the mods of the config with those that keep and upload the source maps. */
function withSourceMaps(mods, settings) {
  const kept = withMod(mods, 'ios', 'dangerous', (props) => {
    keepSourceMap(props.modRequest.platformProjectRoot);
  });
  const onXcode = withMod(kept, 'ios', 'xcodeproj', (props) => {
    changeXcode(props, settings);
  });
  return withMod(onXcode, 'android', 'appBuildGradle', (props) => {
    changeGradle(props, settings);
  });
}

/** The peers that every app with this plugin needs, in the versions of the app's SDK. */
const needed = ['expo-updates', 'expo-constants'];
/** The peer that an app with its own storage does not need. Its versions do not belong to an SDK. */
const asyncStorage = '@react-native-async-storage/async-storage';

/** The warnings that this process has printed. Expo's tools evaluate the config many times. */
const told = new Set();

function warn(text) {
  if (!told.has(text)) {
    told.add(text);
    console.warn(`@waft/expo: ${text}`);
  }
}

/** Returns the content of a package's JSON file as seen from a folder, or undefined if the package is not installed. */
function read(file, folder) {
  try {
    return require(require.resolve(file, { paths: [folder] }));
  } catch {
    return undefined;
  }
}

const major = (version) => Number.parseInt(version, 10);
/** Returns the first two numbers of a version or of a range such as "~55.0.21". */
const minor = (version) => /\d+\.\d+/.exec(version)?.[0];

/** Warns if the app's packages do not fit its Expo SDK. npm installs any version of an optional peer that is in the peer's range. */
function checkVersions(app) {
  const sdk = major(read('expo/package.json', app)?.version);
  if (!sdk) {
    return; // The app has no Expo packages yet.
  }
  const [from, below] = own.peerDependencies.expo.match(/\d+/g).filter((_number, i) => i % 3 === 0).map(Number);
  if (sdk < from || sdk >= below) {
    warn(`version ${own.version} supports Expo SDK ${from} to ${below - 1}, not ${sdk}; use a version that supports it`);
  }
  const wanted = read('expo/bundledNativeModules.json', app) ?? {};
  for (const name of needed) {
    // Some package managers hide a package from others that do not list it, and some install a second copy.
    const found = [app, __dirname].map((folder) => read(`${name}/package.json`, folder)?.version);
    if (!found.every(Boolean)) {
      warn(`${name} is not installed; run \`npx expo install ${name}\``);
    }
    for (const version of found) {
      if (version && wanted[name] && minor(version) !== minor(wanted[name])) {
        warn(`${name} ${version} does not fit Expo SDK ${sdk}, which expects ${wanted[name]}; run \`npx expo install ${name}\``);
      }
    }
  }
  const storage = read(`${asyncStorage}/package.json`, app)?.version;
  const range = own.peerDependencies[asyncStorage];
  if (storage && major(storage) !== major(range.slice(1))) {
    warn(`${asyncStorage} ${storage} is not in the range ${range}; run \`npx expo install ${asyncStorage}\``);
  }
}

/** Returns the app config with `updates`, mods that keep and upload source maps and, unless it is set already, `runtimeVersion`. */
function withWaft(config, options) {
  const { url, project, channel = 'production', uploadSourceMaps = true, ...others } = options ?? {};
  for (const name of Object.keys(others)) {
    throw new Error(`@waft/expo: the plugin has no setting "${name}"; those are "url", "project", "channel" and "uploadSourceMaps"`);
  }
  if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(url ?? '') || /\/v1\/ota(\/|$)/.test(url)) {
    const wanted = 'the server\'s address, such as "https://ota.example.com", without "/v1/ota"';
    throw new Error(`@waft/expo: the plugin's "url" must be ${wanted}, not ${JSON.stringify(url)}`);
  }
  for (const [name, value] of Object.entries({ project, channel })) {
    if (typeof value !== 'string' || value.trim() === '') {
      throw new Error(`@waft/expo: the plugin's "${name}" must be a text that is not empty, not ${JSON.stringify(value)}`);
    }
  }
  if (typeof uploadSourceMaps !== 'boolean') {
    throw new Error(`@waft/expo: the plugin's "uploadSourceMaps" must be true or false, not ${JSON.stringify(uploadSourceMaps)}`);
  }
  const server = url.replace(/\/+$/, '');
  if (config._internal?.projectRoot) {
    checkVersions(config._internal.projectRoot);
  }
  return {
    ...config,
    mods: withSourceMaps(config.mods, uploadSourceMaps ? { url: server, project } : undefined),
    runtimeVersion: config.runtimeVersion ?? config.version ?? '1.0.0',
    updates: {
      enabled: true,
      checkAutomatically: 'ON_LOAD',
      fallbackToCacheTimeout: 0,
      ...config.updates,
      url: `${server}/v1/ota/manifest/${encodeURIComponent(project)}`,
      requestHeaders: { ...config.updates?.requestHeaders, 'expo-channel-name': channel },
    },
  };
}

module.exports = withWaft;
