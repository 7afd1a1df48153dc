const fs = require('node:fs');
const path = require('node:path');
const { getDefaultConfig } = require('expo/metro-config');
const { FileStore } = require('metro-cache');

const config = getDefaultConfig(__dirname);

// By default, Metro keeps its caches in the system's temporary folder, shared by all projects on the machine.
// This keeps them in node_modules.
const cache = path.join(__dirname, 'node_modules', '.cache', 'metro');
config.cacheStores = [new FileStore({ root: path.join(cache, 'transforms') })];
config.fileMapCacheDirectory = path.join(cache, 'files');
fs.mkdirSync(config.fileMapCacheDirectory, { recursive: true });

module.exports = config;
