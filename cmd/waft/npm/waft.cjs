#!/usr/bin/env node
// Runs the binary of this machine, which is in a package of its own: npm installs only the one whose "os" and "cpu" fit.
'use strict';
const { spawn } = require('node:child_process');
const os = require('node:os');
const { isatty } = require('node:tty');
const { name, optionalDependencies = {} } = require('../package.json');

/** Returns the path of the binary, or ends the process with a sentence that says how to get one. */
function binary() {
  const wanted = `${name}-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${wanted}/bin/waft${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    const fix =
      wanted in optionalDependencies
        ? `the package ${wanted} is not installed. Install again on this machine, without --omit=optional and --no-optional: \`npm install --global ${name}\`, or \`npm install --save-dev ${name}\` in a project`
        : `${name} has no binary for ${process.platform} on ${process.arch}. Build it with Go: clone https://github.com/waft-ota/waft and run \`go build ./cmd/waft\``;
    console.error(`waft: ${fix}`);
    process.exit(1);
  }
}

// A terminal sends Ctrl-C to the child itself, which would get it twice if it were passed on. process.stdin must not be touched: Node.js
// would make a pipe of it that the child cannot wait for.
const passed = isatty(0) ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
// Set before the child starts: otherwise a signal in between would end Node.js alone, and the child would go on without it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (passed.includes(signal)) child.kill(signal);
  });
}

const child = spawn(binary(), process.argv.slice(2), { stdio: 'inherit' });

child.on('error', (error) => {
  console.error(`waft: cannot run ${child.spawnfile}: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.exitCode = 128 + os.constants.signals[signal]; // Node.js ignores some, such as SIGPIPE
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
