package app

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// easHosts are the hosts of EAS Update.
var easHosts = []string{"u.expo.dev", "staging-u.expo.dev"}

// onEAS reports whether a URL is an address of EAS Update.
func onEAS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(easHosts, u.Hostname())
}

// easNotes describes what leaving EAS Update means.
func easNotes(config map[string]any, channels []profileChannel) (notes []string) {
	if address := textAt(config, "updates", "url"); onEAS(address) {
		notes = append(notes, fmt.Sprintf("This app gets its updates from EAS (%s). The address is part of each build: "+
			"installed builds keep asking EAS. Publish with `eas update` too, until your users have a new build.", address))
	}
	if id := textAt(config, "extra", "eas", "projectId"); id != "" {
		notes = append(notes, fmt.Sprintf("extra.eas.projectId (%s) stays: EAS Build and push notifications use it, "+
			"updates from Waft do not.", id))
	}
	if len(channels) > 0 {
		var texts []string
		for _, c := range channels {
			texts = append(texts, c.profile+": "+c.channel)
		}
		notes = append(notes, fmt.Sprintf("The build profiles in eas.json have channels (%s). EAS Build writes them into builds only "+
			"for updates from EAS. For a channel per profile, use an app.config.js that takes the channel from "+
			"process.env.EAS_BUILD_PROFILE.", strings.Join(texts, ", ")))
	}
	return notes
}

// profileChannel is the channel of a build profile in eas.json.
type profileChannel struct{ profile, channel string }

// easChannels returns the channels in eas.json, sorted by profile. It returns none if the folder has no readable eas.json.
func easChannels(dir string) (channels []profileChannel) {
	text, err := os.ReadFile(filepath.Join(dir, "eas.json"))
	if err != nil {
		return nil
	}
	var file struct {
		Build map[string]struct {
			Channel string `json:"channel"`
		} `json:"build"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil
	}
	for profile, p := range file.Build {
		if p.Channel != "" {
			channels = append(channels, profileChannel{profile, p.Channel})
		}
	}
	slices.SortFunc(channels, func(a, b profileChannel) int { return strings.Compare(a.profile, b.profile) })
	return channels
}

// productionChannel returns the channel of the build profile production, or "".
func productionChannel(channels []profileChannel) string {
	for _, c := range channels {
		if c.profile == "production" {
			return c.channel
		}
	}
	return ""
}

// codePushKey finds the settings of a CodePush client in a file.
var codePushKey = regexp.MustCompile(`(?i)CodePush_?DeploymentKey`)

// codePushFiles returns the files of an app that have a CodePush deployment key, relative to its folder.
func codePushFiles(dir string) (found []string) {
	for _, pattern := range []string{
		"app.json", "ios/*/Info.plist", "android/app/src/main/res/values/strings.xml", "android/app/src/main/AndroidManifest.xml",
		"android/app/build.gradle",
	} {
		names, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			continue
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err == nil && codePushKey.Match(text) {
				found = append(found, name)
			}
		}
	}
	return found
}

// codePushNotes describes what leaving CodePush means.
func codePushNotes(files []string) []string {
	if len(files) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("This app has a CodePush key (%s). Two clients for updates cannot run in one app: "+
		"remove the package react-native-code-push, its key, and getJSBundleFile or CodePush.bundleURL from the native code. "+
		"Installed builds keep asking the CodePush server until your users have a new build.", strings.Join(files, ", "))}
}
