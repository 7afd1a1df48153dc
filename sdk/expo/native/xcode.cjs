// Adds the phase that runs waft-xcode.sh to an Xcode project, as the package `xcode` parses it.

const phaseName = 'Upload the source map to Waft';

/** Returns a text as a shell writes it. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the script of the phase. The files that it reads set NODE_BINARY and SOURCEMAP_FILE, and what the developer adds. */
const script = ({ url, project }) => `# From @waft/expo
for file in "$PODS_ROOT/../.xcode.env" "$PODS_ROOT/../.xcode.env.local"; do
  if [ -f "$file" ]; then
    . "$file"
  fi
done
/bin/bash "$("\${NODE_BINARY:-node}" --print "require('path').join(require.resolve('@waft/expo/package.json'), '../native/waft-xcode.sh')")" ${quoted(url)} ${quoted(project)}
`;

/** Returns true if the phase bundles the app. Its name is the one of React Native's template; other plugins change its script. */
const bundles = (phase) => phase?.name?.includes('Bundle React Native code and images') || phase?.shellScript?.includes('react-native-xcode.sh');

/** Makes each target that bundles the app run waft-xcode.sh once, or not at all if `settings` is undefined. Returns the number of targets. */
function setPhase(project, settings) {
  const { PBXNativeTarget: targets = {}, PBXShellScriptBuildPhase: phases = {} } = project.hash.project.objects;
  const bundling = Object.values(targets).filter((target) => target.buildPhases?.some(({ value }) => bundles(phases[value])));
  for (const target of bundling) {
    const id = target.buildPhases.find(({ comment }) => comment === phaseName)?.value ?? project.generateUuid();
    delete phases[id];
    delete phases[`${id}_comment`];
    target.buildPhases = target.buildPhases.filter(({ value }) => value !== id);
    if (settings) {
      phases[id] = {
        isa: 'PBXShellScriptBuildPhase', alwaysOutOfDate: 1, buildActionMask: 2147483647, files: [], inputPaths: [], outputPaths: [],
        name: JSON.stringify(phaseName), runOnlyForDeploymentPostprocessing: 0, shellPath: '/bin/sh', shellScript: JSON.stringify(script(settings)),
      };
      phases[`${id}_comment`] = phaseName;
      target.buildPhases.push({ value: id, comment: phaseName }); // The last phase, because other phases add files to the app.
    }
  }
  return bundling.length;
}

module.exports = { setPhase };
