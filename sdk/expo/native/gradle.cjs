// Applies waft.gradle in android/app/build.gradle.

const [begin, end] = ['// @waft/expo begin: uploads the source map of release builds (DO NOT MODIFY)', '// @waft/expo end'];

/** Matches the lines that this package wrote before. */
const written = new RegExp(`\\n*${begin.replace(/[()/]/g, '\\$&')}\n[^]*?\n${end}(?=\n|$)`);

/** Returns a text as Groovy writes it. */
const quoted = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Returns the lines that apply waft.gradle. Gradle asks Node.js for the folder of the package, which may be above the app's. */
const lines = ({ url, project }) => `${begin}
ext.waft = [url: ${quoted(url)}, project: ${quoted(project)}]
apply from: new File(new File(["node", "--print", "require.resolve('@waft/expo/package.json')"].execute(null, rootDir).text.trim()).parentFile, "native/waft.gradle")
${end}`;

/** Returns the content of a build.gradle that applies waft.gradle once, or not at all if `settings` is undefined. */
function applied(contents, settings) {
  const block = settings ? `\n\n${lines(settings)}` : '';
  if (written.test(contents)) {
    return contents.replace(written, () => block);
  }
  return settings ? `${contents.trimEnd()}${block}\n` : contents;
}

module.exports = { applied };
