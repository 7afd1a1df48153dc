package release

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// addEmbeddedCommand returns the command that uploads the bundle and the source map of a native build.
func addEmbeddedCommand(s *command.Settings) *cobra.Command {
	var platform, runtimeVersion, sourceMap string
	var of nativeSearch
	cmd := s.Calling("add-embedded APP", "Upload the bundle and the source map inside an app that you built for the store", func(c command.Call) error {
		if err := command.NotEmpty(c.Command, "runtime-version", "variant", "bundle", "manifest", "source-map"); err != nil {
			return err
		}
		if sourceMap+of.bundle+of.manifest != "" && platform == "all" {
			return command.Usagef("--bundle, --manifest and --source-map are for one platform: use --platform, too")
		}
		if (of.bundle == "") != (of.manifest == "") {
			return command.Usagef("--bundle and --manifest belong together: use both, or none to find the files")
		}
		of.app = c.Args[0]
		of.home, _ = os.UserHomeDir() // "" if it is not known
		builds, err := of.all(platform)
		if err != nil {
			return err
		}
		for _, b := range builds {
			b.runtimeVersion, b.sourceMap = cmp.Or(runtimeVersion, b.runtimeVersion), cmp.Or(sourceMap, b.sourceMap)
			if err := addEmbedded(c, of.app, b); err != nil {
				return fmt.Errorf("%s: %w", b.platform, err)
			}
		}
		return nil
	})
	cmd.Long = "APP is the folder of the app, with the folders android and ios, after a release build by `npx expo run:android\n" +
		"--variant release`, `npx expo run:ios --configuration Release`, Gradle, Xcode or EAS Build. The command does not build\n" +
		"anything: it uploads the bundle that the build put into the app, and its source map. Waft then shows errors of\n" +
		"the embedded update by file and line, and devices that run it get patches. The build cannot be published.\n" +
		"If the same build was uploaded before, the command only adds its source map if that is missing.\n" +
		"For iOS, the config plugin of @waft/expo makes Xcode write the source map. The plugin also makes release builds run this\n" +
		"command, with the paths of their files in --bundle, --manifest and --source-map."
	cmd.Example = "  waft builds add-embedded .\n" +
		"  waft builds add-embedded . --platform android --variant productionRelease"
	f := cmd.Flags()
	f.StringVar(&platform, "platform", "all", "ios, android or all, which means each platform that has a release build")
	f.StringVar(&runtimeVersion, "runtime-version", "", "runtime version of the app; default: from the native project")
	f.StringVar(&of.bundle, "bundle", "", "bundle of the build; with --manifest, the command does not search for files")
	f.StringVar(&of.manifest, "manifest", "", "app.manifest of expo-updates, which has the ID of the embedded update")
	f.StringVar(&sourceMap, "source-map", "", "source map of the build, if a setting of your own writes it elsewhere, or with --bundle")
	f.StringVar(&of.variant, "variant", "release", "variant of the Android build")
	f.StringVar(&of.product, "product", "", "the .app that Xcode built; default: the newest in ios/build or DerivedData")
	return cmd
}

// all returns the builds for the platforms.
func (s nativeSearch) all(platform string) ([]nativeBuild, error) {
	platforms, err := parsePlatforms(platform)
	if err != nil {
		return nil, err
	}
	var builds []nativeBuild
	var missing error
	for _, p := range platforms {
		b, err := s.find(p)
		switch {
		case err == nil:
			builds = append(builds, b)
		case errors.Is(err, errNoNativeBuild):
			missing = errors.Join(missing, err)
		default:
			return nil, err
		}
	}
	if len(builds) == 0 {
		return nil, missing
	}
	return builds, nil
}

// addEmbedded uploads a native build, unless it was uploaded before.
func addEmbedded(c command.Call, app string, b nativeBuild) error {
	if b.runtimeVersion == "" {
		return command.Usagef("the runtime version is missing: use --runtime-version, because the native project does not name one")
	}
	if b.sourceMap == "" {
		if err := command.PrintLines(c.ErrOrStderr(), []string{noSourceMap(b.platform)}); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "waft-embedded-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bundle := filepath.Base(b.bundle)
	for from, to := range map[string]string{b.bundle: bundle, b.sourceMap: bundle + ".map"} {
		if from == "" {
			continue
		}
		content, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), content, 0o600)
		}
		if err != nil {
			return err
		}
	}
	export, err := client.OpenExport(dir, b.platform)
	if err != nil {
		return err
	}
	at := readCommit(c.Context(), app, "HEAD")
	made, err := c.API.UploadExport(c.Context(), export, client.Upload{
		RuntimeVersion: b.runtimeVersion, EmbeddedUpdateID: b.updateID, Message: "embedded update", GitCommitHash: at.hash,
		GitBranch: at.branch, GitAuthor: at.author,
	})
	if client.CodeOf(err) == models.CodeAlreadyExists {
		return addMissingMap(c, b, err)
	}
	if err != nil {
		return err
	}
	return command.Done(c, nil, "build %d for %s %s: embedded update %s, %s, source map %s", made.ID, made.Platform, made.RuntimeVersion,
		b.updateID, megabytes(made.SizeBytes), sourceMapSize(*made))
}

// noSourceMap explains why a native build has no source map.
func noSourceMap(p models.Platform) string {
	if p == models.IOS {
		return "ios: Xcode wrote no source map; add the config plugin of @waft/expo, run `npx expo prebuild` and build again"
	}
	return "android: Gradle wrote no source map; remove hermesFlags without -output-source-map from android/app/build.gradle"
}

// addMissingMap adds the source map to a build that was uploaded before. refused is the error of the upload.
func addMissingMap(c command.Call, b nativeBuild, refused error) error {
	found, err := c.API.ListBuildsWithResponse(c.Context(), &client.ListBuildsParams{
		Limit: new(int64(200)), Platform: new(client.ListBuildsParamsPlatform(b.platform)),
	})
	if err != nil {
		return err
	}
	if found.JSON200 == nil {
		return command.ErrNoRecord
	}
	at := slices.IndexFunc(*found.JSON200, func(known client.Build) bool {
		return known.EmbeddedUpdateID != nil && known.EmbeddedUpdateID.String() == b.updateID
	})
	if at < 0 {
		return refused
	}
	known := (*found.JSON200)[at]
	content, err := os.ReadFile(b.bundle)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(content)
	if !slices.ContainsFunc(known.Assets, func(a client.BuildAsset) bool { return a.Sha256 == base64.RawURLEncoding.EncodeToString(digest[:]) }) {
		return fmt.Errorf("build %d has another bundle for the embedded update %s. Clean the native build, then build again: Gradle and "+
			"Xcode may keep the ID of an earlier build", known.ID, b.updateID)
	}
	if known.SourceMapBytes == 0 && b.sourceMap != "" {
		source, err := os.ReadFile(b.sourceMap)
		if err != nil {
			return err
		}
		_, err = c.API.PutSourceMapWithBodyWithResponse(
			c.Context(), known.ID, &client.PutSourceMapParams{}, "application/octet-stream", bytes.NewReader(source))
		return command.Done(c, err, "build %d: source map added to the embedded update %s", known.ID, b.updateID)
	}
	return command.Done(c, nil, "build %d already has the embedded update %s", known.ID, b.updateID)
}
