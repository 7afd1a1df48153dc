// Exports the app's AsyncStorage, or undefined if the app does not have it or was built without its native module. Bundlers leave out a
// package that is not installed only if it is required, and within `try`.
try {
  module.exports = require('@react-native-async-storage/async-storage').default;
} catch {
  module.exports = undefined;
}
