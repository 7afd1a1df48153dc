// Runs native/waft.gradle of the packed package in Gradle, with doubles of the plugins of Android, React Native and expo-updates. You start
// it yourself, `node test/gradle.mjs` in sdk/expo, after a change of waft.gradle. It needs `gradle` in the PATH, 4.4 or newer, as Debian has it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Doubles of what waft.gradle uses. The variant freeRelease has no updates. Gradle 4.4 has no `register`, so tasks are made eagerly there. */
const doubles = `
import org.gradle.api.*
import org.gradle.api.tasks.*

class Value { def v; def get() { v } }
class Dir { File f; Dir get() { this }; File getAsFile() { f } }
class DoubleTask extends DefaultTask {
  @Internal def bundleAssetName = new Value(v: 'index.android.bundle')
  @Internal Dir jsBundleDir
  @Internal Dir jsSourceMapsDir
  @Internal Dir assetDir
}
class Variant { String name }
class Components {
  List callbacks = []
  def selector() { this }
  def all() { this }
  void onVariants(Object selector, Closure callback) { callbacks << callback }
}
class React { def nodeExecutableAndArgs = new Value(v: ['node', '--no-warnings']) }

class DoubleAndroid implements Plugin<Project> {
  void apply(Project p) {
    if (!p.tasks.metaClass.respondsTo(p.tasks, 'register', String, Class, Closure)) {
      p.tasks.metaClass.register = { String name, Class type, Closure body -> def task = p.tasks.create(name, type); body.call(task); task }
      p.tasks.metaClass.configureEach = { Closure body -> p.tasks.all(body) }
    }
    def components = new Components()
    p.extensions.add('androidComponents', components)
    p.extensions.add('react', new React())
    p.afterEvaluate {
      ['debug', 'release', 'freeRelease'].each { name ->
        def capitalized = name.capitalize()
        def folder = { new Dir(f: new File(p.buildDir, it)) }
        def bundling = "createBundle\${capitalized}JsAndAssets"
        if (name != 'debug') {
          p.tasks.create(bundling, DoubleTask) { t ->
            t.jsBundleDir = folder('bundle')
            t.jsSourceMapsDir = folder('maps')
            t.doLast {
              if (System.getenv('BUNDLE_FAILS')) throw new GradleException('no bundle')
              t.jsSourceMapsDir.asFile.mkdirs()
              new File(t.jsSourceMapsDir.asFile, 'index.android.bundle.map').text = '{}'
              println "bundled $name"
            }
          }
        }
        if (name != 'freeRelease') {
          p.tasks.create("create\${capitalized}UpdatesResources", DoubleTask) { t -> t.assetDir = folder('resources'); t.doLast { println "resources $name" } }
        }
        p.tasks.create("assemble$capitalized") { t -> if (name != 'debug') t.dependsOn(bundling); t.doLast { println "assembled $name" } }
        components.callbacks.each { it.call(new Variant(name: name)) }
      }
    }
  }
}
`;

const app = mkdtempSync(join(tmpdir(), 'waft-gradle-'));
function write(name, content) {
  mkdirSync(dirname(join(app, name)), { recursive: true });
  writeFileSync(join(app, name), content);
  return join(app, name);
}

/** Runs tasks of the app and returns the exit code and the lines that the doubles, the upload and the CLI print. */
function gradle(env, ...tasks) {
  const { status, stdout, stderr, error } = spawnSync('gradle', ['--offline', '--no-daemon', ...tasks.map((task) => `:app:${task}`)], {
    cwd: join(app, 'android'),
    encoding: 'utf8',
    env: { PATH: `${join(app, 'tools')}${delimiter}${process.env.PATH}`, HOME: app, GRADLE_USER_HOME: join(app, '.gradle'), ...env },
  });
  if (error) throw error;
  return { status, lines: stdout.split('\n').filter((line) => /^(bundled|resources|assembled|note|warning|error|@waft\/expo)/.test(line)), stderr };
}

try {
  const installed = join(app, 'node_modules/@waft/expo');
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', app], { encoding: 'utf8' }));
  execFileSync('tar', ['xzf', join(app, filename), '-C', installed, '--strip-components=1']);
  const { applied } = createRequire(import.meta.url)(join(installed, 'native/gradle.cjs'));
  write('android/buildSrc/src/main/groovy/DoubleAndroid.groovy', doubles);
  write('android/buildSrc/src/main/resources/META-INF/gradle-plugins/com.android.application.properties', 'implementation-class=DoubleAndroid\n');
  write('android/settings.gradle', "include ':app'\n");
  write('android/app/build.gradle', applied('apply plugin: "com.android.application"\n', { url: 'https://ota.test', project: "o'hara" }));
  chmodSync(write('tools/waft', '#!/bin/sh\necho "$WAFT_URL $WAFT_PROJECT $*"\nexit ${CLI_EXIT:-0}\n'), 0o755);

  const all = gradle({ WAFT_API_KEY: 'k' }, 'assembleRelease', 'assembleFreeRelease', 'assembleDebug');
  assert.deepEqual([all.status, all.lines.toSorted()], [0, [
    `@waft/expo: https://ota.test o'hara builds add-embedded ${app} --platform android --bundle ${app}/android/app/build/bundle/index.android.bundle ` +
      `--manifest ${app}/android/app/build/resources/app.manifest --source-map ${app}/android/app/build/maps/index.android.bundle.map`,
    'assembled debug', 'assembled freeRelease', 'assembled release', 'bundled freeRelease', 'bundled release', 'resources release',
  ]], all.stderr);
  const noKey = gradle({}, 'assembleRelease');
  assert.equal(noKey.status, 0, noKey.stderr);
  assert.ok(noKey.lines.some((line) => /^note: .*WAFT_API_KEY/.test(line)) && noKey.lines.includes('assembled release'), noKey.lines.join('\n'));
  const fails = gradle({ WAFT_API_KEY: 'k', CLI_EXIT: '3' }, 'assembleRelease');
  assert.equal(fails.status, 0, fails.stderr);
  assert.ok(fails.lines.some((line) => line.startsWith('warning: ')) && fails.lines.includes('assembled release'), fails.lines.join('\n'));
  const required = gradle({ WAFT_API_KEY: 'k', CLI_EXIT: '3', WAFT_UPLOAD_REQUIRED: '1' }, 'assembleRelease');
  assert.ok(required.status !== 0 && required.lines.some((line) => line.startsWith('error: ')), required.lines.join('\n'));
  const noBundle = gradle({ WAFT_API_KEY: 'k', BUNDLE_FAILS: '1' }, 'assembleRelease');
  assert.ok(noBundle.status !== 0 && !noBundle.lines.some((line) => line.includes('@waft')), noBundle.lines.join('\n'));
  console.log('waft.gradle uploads from release variants');
} finally {
  rmSync(app, { recursive: true });
}
