/** A file of Gradle, as the template of an Expo app has it. */
export const buildGradle = 'apply plugin: "com.android.application"\napply plugin: "com.facebook.react"\n\nreact {\n}\n';

/** An Xcode project with a target for the app and one for a widget, as the template of an Expo app has it. */
export const xcodeProject = `// !$*UTF8*$!
{
	archiveVersion = 1;
	classes = {
	};
	objectVersion = 46;
	objects = {
/* Begin PBXNativeTarget section */
		13B07F861A680F5B00A75B9A /* App */ = {
			isa = PBXNativeTarget;
			buildPhases = (
				13B07F871A680F5B00A75B9A /* Sources */,
				00DD1BFF1BD5951E006B06BC /* Bundle React Native code and images */,
				800E24972A6A228C8D4807E9 /* [CP] Copy Pods Resources */,
			);
			name = App;
		};
		23B07F861A680F5B00A75B9A /* Widget */ = {
			isa = PBXNativeTarget;
			buildPhases = (
				23B07F871A680F5B00A75B9A /* Sources */,
			);
			name = Widget;
		};
/* End PBXNativeTarget section */
/* Begin PBXShellScriptBuildPhase section */
		00DD1BFF1BD5951E006B06BC /* Bundle React Native code and images */ = {
			isa = PBXShellScriptBuildPhase;
			name = "Bundle React Native code and images";
			shellPath = /bin/sh;
			shellScript = "react-native-xcode.sh";
		};
		800E24972A6A228C8D4807E9 /* [CP] Copy Pods Resources */ = {
			isa = PBXShellScriptBuildPhase;
			name = "[CP] Copy Pods Resources";
			shellPath = /bin/sh;
			shellScript = "resources.sh";
		};
/* End PBXShellScriptBuildPhase section */
	};
	rootObject = 83CBB9F71A601CBA00E9B192 /* Project object */;
}
`;
