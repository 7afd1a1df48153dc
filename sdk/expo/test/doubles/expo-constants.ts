export default {
  expoConfig: {
    version: '1.0.0',
    runtimeVersion: '1.0.0',
    updates: {
      url: 'https://ota.test/v1/ota/manifest/demo',
      requestHeaders: { 'expo-channel-name': 'production' } as Record<string, string>,
    },
  },
};
