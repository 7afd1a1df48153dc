// The Expo config plugin. It adds the settings to the app config that expo-updates needs to get its updates from Waft. It is CommonJS,
// because Expo's tools load it with `require`, and not every Node.js can `require` an ES module.
//
//   "plugins": [["@waft/expo", { "url": "https://ota.example.com", "project": "my-app", "channel": "production" }]]

/** Returns the app config with `updates` and, unless it is set already, `runtimeVersion`. */
function withWaft(config, options) {
  const { url, project, channel = 'production', ...others } = options ?? {};
  for (const name of Object.keys(others)) {
    throw new Error(`@waft/expo: the plugin has no setting "${name}"; those are "url", "project" and "channel"`);
  }
  if (!/^https?:\/\/[^/]+/.test(url ?? '')) {
    throw new Error(`@waft/expo: the plugin's "url" must be the server's address, such as "https://ota.example.com", not ${JSON.stringify(url)}`);
  }
  for (const [name, value] of Object.entries({ project, channel })) {
    if (typeof value !== 'string' || value.trim() === '') {
      throw new Error(`@waft/expo: the plugin's "${name}" must be a text that is not empty, not ${JSON.stringify(value)}`);
    }
  }
  return {
    ...config,
    runtimeVersion: config.runtimeVersion ?? config.version ?? '1.0.0',
    updates: {
      enabled: true,
      checkAutomatically: 'ON_LOAD',
      fallbackToCacheTimeout: 0,
      ...config.updates,
      url: `${url.replace(/\/+$/, '')}/v1/ota/manifest/${encodeURIComponent(project)}`,
      requestHeaders: { ...config.updates?.requestHeaders, 'expo-channel-name': channel },
    },
  };
}

module.exports = withWaft;
