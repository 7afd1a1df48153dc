// Runs a plain JavaScript bundle of the example app, lets its catalogue throw, and prints the stack.
//
//   node throw.mjs BUNDLE
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const bundle = readFileSync(process.argv[2], 'utf8');
const app = vm.createContext({ console: { log() {}, warn() {}, error() {} }, setTimeout, clearTimeout });
app.global = app;
try {
  vm.runInContext(bundle, app, { filename: 'index.android.bundle' });
} catch {
  // All modules are defined by now. The app itself wants a device.
}
// A module is __d(function, id, [dependencies]); the catalogue is known by what it exports.
const catalogue = bundle.split('__d(').find((text) => text.includes('priceOf=') && text.includes('refreshedItems='));
const [, id] = catalogue.match(/},(\d+),\[[\d,]*\]\)/);
try {
  app.__r(Number(id)).priceOf({});
} catch (error) {
  process.stdout.write(error.stack);
}
process.exit(0);
