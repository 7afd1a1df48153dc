package app

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/waft-ota/waft/models"
)

// Versions of expo-updates. @waft/expo has the range from oldestUpdates to tooNewUpdates as a peer dependency. From oldestProtocol on,
// expo-updates knows protocol 1 with its directives, such as the return to the embedded update.
const (
	oldestUpdates  = "29.0.9"
	tooNewUpdates  = "58.0.0"
	oldestProtocol = "0.18.0"
)

// ownHeaders are the request headers that the configuration of an app must not replace, in lower case.
var ownHeaders = []string{
	"accept", "expo-platform", "expo-protocol-version", "expo-runtime-version", "eas-client-id", "expo-current-update-id",
	"expo-embedded-update-id", "expo-api-version", "host",
}

// checkApp checks the configuration of an app, then asks for its updates.
func (d *doctor) checkApp(ctx context.Context, a *expoApp) {
	d.checkPackages(a)
	if a.config == nil {
		d.problem("config", "correct the file until `npx expo config` prints it", "%s could not be read: %v", a.file, a.unread)
		return
	}
	d.checkPlugin(a)
	c := settingsOf(a.config)
	if !d.checkURL(a, c) {
		return
	}
	d.checkHeaders(a.config, c.channel)
	certificate := d.checkCertificate(a)
	if c.channel == "" {
		return
	}
	d.checkChannel(ctx, c.channel)
	for _, platform := range platformsOf(a.config) {
		runtime, err := runtimeVersion(ctx, a, platform)
		if err != nil {
			d.warn("runtime", "see `npx expo-updates runtimeversion:resolve --platform "+string(platform)+"`",
				"the runtime version for %s is unknown: %v", platform, err)
			continue
		}
		d.checkUpdates(ctx, appQuestion{a, c, platform, runtime, certificate})
	}
}

// checkPackages checks the installed versions of expo-updates and of @waft/expo.
func (d *doctor) checkPackages(a *expoApp) {
	const install = "run `npx expo install expo-updates`"
	text := a.installed("expo-updates")
	v, err := semver.NewVersion(text)
	switch {
	case text == "":
		d.problem("expo-updates", install, "expo-updates is not installed, so the app does not get updates")
	case err != nil:
		d.warn("expo-updates", install, "expo-updates has the version %q", text)
	case v.LessThan(semver.MustParse(oldestProtocol)):
		d.problem("expo-updates", "update the Expo SDK", "expo-updates %s cannot return to the embedded update", text)
	case v.LessThan(semver.MustParse(oldestUpdates)), !v.LessThan(semver.MustParse(tooNewUpdates)):
		d.warn("expo-updates", "use Expo SDK 54 to 57", "expo-updates %s is not tested with Waft", text)
	default:
		d.ok("expo-updates", "expo-updates %s is supported", text)
	}
}

// checkPlugin checks that the config plugin is installed if the configuration names it, and the other way round.
func (d *doctor) checkPlugin(a *expoApp) {
	version := a.installed(pluginName)
	index, settings := pluginSettings(a.config)
	switch {
	case version == "" && index >= 0:
		d.problem("plugin", "run `npm install "+pluginName+"`", "the configuration names the plugin %s, which is not installed", pluginName)
	case version != "" && index < 0:
		d.warn("plugin", "run `waft init`",
			"%s is installed, but the configuration does not name its plugin, so builds do not upload source maps", pluginName)
	case version != "" && settings == nil:
		d.problem("plugin", "run `waft init`", "the plugin %s has no settings", pluginName)
	case version != "":
		d.ok("plugin", "%s %s is installed and configured", pluginName, version)
	}
}

// checkURL reports whether the app gets its updates from this server and project.
func (d *doctor) checkURL(a *expoApp, c configured) bool {
	const fix = "run `waft init`, then build the app again"
	want := updatesURL(d.URL, d.Project)
	own, err := url.Parse(c.url)
	wanted, _ := url.Parse(want) // --url has been checked
	switch {
	case at(a.config, "updates", "enabled") == false:
		d.problem("url", "remove updates.enabled", "updates.enabled is false, so the app does not get updates")
	case c.url == "":
		d.problem("url", fix, "the app does not name a server for its updates")
		return false
	case onEAS(c.url):
		d.problem("url", fix, "the app gets its updates from EAS (%s)", c.url)
		return false
	case err != nil || own.Path != wanted.Path:
		d.problem("url", fix, "the app gets its updates from %s (%s), not from %s", c.url, c.from, want)
		return false
	case own.Host != wanted.Host || own.Scheme != wanted.Scheme:
		d.warn("url", "if that is another server, run `waft init`; otherwise use its address in --url (WAFT_URL)",
			"the app gets its updates from %s (%s), not from %s", c.url, c.from, want)
	default:
		d.ok("url", "the app gets its updates from %s", c.url)
	}
	return true
}

func (d *doctor) checkHeaders(config map[string]any, channel string) {
	headers, _ := at(config, "updates", "requestHeaders").(map[string]any)
	for name := range headers {
		switch lower := strings.ToLower(name); {
		case slices.Contains(ownHeaders, lower):
			d.problem("headers", "remove it from updates.requestHeaders",
				"the header %s replaces the header of the same name that expo-updates sends", name)
		case lower == "authorization" || strings.Contains(lower, "api-key"):
			d.problem("headers", "remove it from updates.requestHeaders, and revoke the key",
				"the header %s is part of every build, so everyone can read it", name)
		}
	}
	if channel == "" {
		d.problem("channel", "run `waft init`, then build the app again",
			"the app does not name a channel (the header %s), so it does not get updates", channelHeader)
	}
}

// checkCertificate checks the certificate in the app, and returns it. It returns nil for an app without one.
func (d *doctor) checkCertificate(a *expoApp) *x509.Certificate {
	path := textAt(a.config, "updates", "codeSigningCertificate")
	if path == "" {
		if d.signing != nil {
			d.warn("certificate", "run `waft init`, then build the app again", "the project signs, but the app does not check signatures")
		}
		return nil
	}
	text, err := os.ReadFile(filepath.Join(a.dir, filepath.FromSlash(path)))
	if err != nil {
		d.problem("certificate", "run `waft init`", "the app's code signing certificate is missing: %v", err)
		return nil
	}
	chain, err := parseCertificates(text)
	if err != nil {
		d.problem("certificate", "run `waft init`", "%s is not a certificate: %v", path, err)
		return nil
	}
	if d.signingKnown && d.signing == nil {
		d.problem("certificate", "run `waft codesign generate`, or remove updates.codeSigningCertificate",
			"the app expects signatures, but the project does not sign, so devices refuse its updates")
		return nil
	}
	if d.signing != nil {
		d.compareCertificates(a, text)
	}
	d.checkEnd("certificate", "the app's code signing certificate", chain[0].NotAfter, "run `waft codesign rotate`")
	return chain[0]
}

func (d *doctor) compareCertificates(a *expoApp, text []byte) {
	err := signs(text, *d.signing)
	if err != nil && !sameKey(text, *d.signing) {
		d.problem("certificate", "put the certificate of the project into the app with `waft init`, and build the app again", "%v", err)
		return
	}
	if keyID := textAt(a.config, "updates", "codeSigningMetadata", "keyid"); keyID != d.signing.KeyID {
		d.problem("certificate", "run `waft init`, then build the app again",
			"the app expects the key ID %q, and the project signs as %q", keyID, d.signing.KeyID)
		return
	}
	if err != nil {
		d.warn("certificate", "put the new certificate into the app with `waft init`, and build the app again before the old one expires",
			"the project has a new certificate for the same key, so builds with the old one still get updates")
	} else {
		d.ok("certificate", "the app's certificate fits the project's key")
	}
	d.checkEnd("certificate", "the project's code signing certificate", d.signing.NotAfter, "run `waft codesign rotate`")
}

// checkChannel checks that the channel exists and is not paused.
func (d *doctor) checkChannel(ctx context.Context, name string) {
	if d.api == nil {
		return
	}
	channel, err := d.api.FindChannel(ctx, name)
	switch {
	case err != nil:
		d.warn("channel", "run this again", "the channels could not be read: %v", err)
	case channel == nil:
		d.problem("channel", fmt.Sprintf("run `waft channels create %s`, or name another channel with `waft init --channel`", name),
			"the app's channel %s does not exist in project %s", name, d.Project)
	case channel.IsPaused:
		d.warn("channel", "run `waft channels edit "+name+" --paused=false`", "the channel %s is paused", name)
	default:
		d.ok("channel", "the channel %s exists", name)
	}
}

// platformsOf returns the platforms of an app that get updates.
func platformsOf(config map[string]any) (platforms []models.Platform) {
	named, ok := config["platforms"].([]any)
	for _, p := range []models.Platform{models.IOS, models.Android} {
		if !ok || slices.Contains(named, any(string(p))) {
			platforms = append(platforms, p)
		}
	}
	return platforms
}

// runtimeVersion returns the runtime version of builds of an app for a platform.
func runtimeVersion(ctx context.Context, a *expoApp, platform models.Platform) (string, error) {
	value := at(a.config, string(platform), "runtimeVersion")
	if value == nil {
		value = a.config["runtimeVersion"]
	}
	version := textAt(a.config, string(platform), "version")
	if version == "" {
		version = textAt(a.config, "version")
	}
	if version == "" {
		version = "1.0.0" // Expo's default
	}
	if text, ok := value.(string); ok {
		return text, nil
	}
	if index, _ := pluginSettings(a.config); value == nil && index >= 0 || textAt(value, "policy") == "appVersion" {
		return version, nil
	}
	if value == nil {
		return "", fmt.Errorf("%s has no runtimeVersion", a.file)
	}
	return resolveRuntime(ctx, a.dir, platform)
}

// resolveRuntime asks the CLI of expo-updates for a runtime version that depends on the native project.
func resolveRuntime(ctx context.Context, dir string, platform models.Platform) (string, error) {
	program := inModules(dir, filepath.Join(".bin", "expo-updates"))
	if program == "" {
		return "", fmt.Errorf("the CLI of expo-updates is not installed")
	}
	cmd := exec.CommandContext(ctx, program, "runtimeversion:resolve", "--platform", string(platform))
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		return "", err
	}
	var resolved struct {
		RuntimeVersion string `json:"runtimeVersion"`
	}
	if err := json.Unmarshal(text, &resolved); err != nil || resolved.RuntimeVersion == "" {
		return "", fmt.Errorf("the CLI of expo-updates did not name it")
	}
	return resolved.RuntimeVersion, nil
}
