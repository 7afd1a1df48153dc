// Uploads the bundle and the source map of a native release build with the CLI `waft`. waft.gradle and waft-xcode.sh run it from inside
// the build. It fails only if WAFT_UPLOAD_REQUIRED is 1: a build without an uploaded source map is worth more than no build.
//
//   node upload.cjs APP URL PROJECT [OPTION OF add-embedded...]

const { spawnSync } = require('node:child_process');
const { accessSync, constants, existsSync, statSync } = require('node:fs');
const { delimiter, dirname, join, resolve } = require('node:path');

/** The time limit of the upload, so that a server that does not respond cannot hold up the build for longer. */
const limit = 10 * 60_000;

const windows = process.platform === 'win32';

/** Returns true if the file is a program. */
function isProgram(file) {
  try {
    accessSync(file, windows ? constants.F_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the folders named `node_modules/.bin` of a folder and of those above it. */
function binFolders(folder) {
  const above = dirname(folder);
  return [join(folder, 'node_modules', '.bin'), ...(above === folder ? [] : binFolders(above))];
}

/** Returns the path of the CLI, or undefined. WAFT_CLI takes precedence over the PATH, and the PATH over the app's packages. */
function findCLI(env, app) {
  const folders = [...(env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean), ...binFolders(app)];
  const paths = env.WAFT_CLI ? [resolve(app, env.WAFT_CLI)] : folders.map((folder) => join(folder, windows ? 'waft.exe' : 'waft'));
  return paths.find(isProgram);
}

/** Returns why this build cannot upload, in a sentence that says what to set, or undefined. */
function missing(env, cli) {
  if (!env.WAFT_API_KEY && !env.WAFT_ID_TOKEN && !env.ACTIONS_ID_TOKEN_REQUEST_URL) {
    return 'set WAFT_API_KEY in the environment of the build to upload it';
  }
  if (cli) {
    return undefined;
  }
  return env.WAFT_CLI ? `WAFT_CLI names ${env.WAFT_CLI}, which is not a program` : 'put the CLI `waft` into the PATH, or set WAFT_CLI to its path';
}

/** Returns the arguments without a --source-map whose file does not exist. The CLI then says how to write one. */
function withoutMissingMap(args) {
  const at = args.indexOf('--source-map');
  return at < 0 || existsSync(args[at + 1]) ? args : [...args.slice(0, at), ...args.slice(at + 2)];
}

/** Returns the lines of a text that are not empty. */
const lines = (text) => (text ?? '').split('\n').filter((line) => line.trim() !== '');

/**
 * Uploads the build of the app in a folder, and returns the exit code of this step of the build. `url` and `project` are the settings of
 * the config plugin, which the environment may replace.
 */
function upload({ app, url, project, args }, env) {
  const isRequired = env.WAFT_UPLOAD_REQUIRED === '1';
  // Xcode shows lines that begin with these words, and fails the build because of "error:". So the CLI's own lines are not passed on as they are.
  const refuse = (level, text) => {
    console.log(`${isRequired ? 'error' : level}: @waft/expo: ${text}`);
    return isRequired ? 1 : 0;
  };
  const cli = findCLI(env, app);
  const reason = missing(env, cli);
  if (reason) {
    return refuse('note', `the source map of this build is not uploaded: ${reason}`);
  }
  const given = withoutMissingMap(args);
  const { status, error, signal, stdout, stderr } = spawnSync(cli, ['builds', 'add-embedded', app, ...given], {
    cwd: app,
    encoding: 'utf8',
    timeout: limit,
    env: { ...env, WAFT_URL: env.WAFT_URL || url, WAFT_PROJECT: env.WAFT_PROJECT || project },
  });
  const told = lines(stderr).map((line) => line.replace(/^error:\s*/i, '')).join('; ');
  if (status !== 0) {
    const cause = told || error?.message || `waft ended with ${signal ?? status}`;
    return refuse('warning', `the source map of this build is not uploaded: ${cause}${isRequired ? '' : '. The build goes on'}`);
  }
  for (const line of lines(stdout)) {
    console.log(`@waft/expo: ${line}`);
  }
  if (!given.includes('--source-map')) {
    return refuse('warning', told || 'the build wrote no source map');
  }
  if (told) {
    console.log(`warning: @waft/expo: ${told}`);
  }
  return 0;
}

const [app, url, project, ...args] = process.argv.slice(2);
process.exitCode = upload({ app: resolve(app), url, project, args }, process.env);
