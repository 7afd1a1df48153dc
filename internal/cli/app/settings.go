package app

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/waft-ota/waft/client"
)

const (
	pluginName     = "@waft/expo"
	channelHeader  = "expo-channel-name"
	defaultChannel = "production"
	// certificatePath is the path of the certificate that Expo's tools use.
	certificatePath = "./certs/certificate.pem"
)

// target contains the values that an app's configuration must have.
type target struct {
	// server is the server's address as devices reach it.
	server, project, channel string
	// hasPlugin is true if @waft/expo is installed.
	hasPlugin bool
	// signing is nil for a project that does not sign.
	signing *client.CodeSigning
}

// updatesURL returns the URL of the manifests of a project.
func updatesURL(server, project string) string {
	return strings.TrimRight(server, "/") + "/v1/ota/manifest/" + url.PathEscape(project)
}

// plan returns the edits of a configuration that make it name the target.
func plan(config map[string]any, t target) (edits []edit) {
	set := func(value any, path ...string) {
		if fmt.Sprint(at(config, path...)) != fmt.Sprint(value) {
			edits = append(edits, edit{path, value})
		}
	}
	// The plugin writes URL and channel. Existing values in updates must not contradict it.
	setUnlessPlugin := func(value any, path ...string) {
		if !t.hasPlugin || at(config, path...) != nil {
			set(value, path...)
		}
	}
	setUnlessPlugin(updatesURL(t.server, t.project), "updates", "url")
	setUnlessPlugin(t.channel, "updates", "requestHeaders", channelHeader)
	if at(config, "updates", "enabled") == false {
		set(true, "updates", "enabled")
	}
	if t.signing != nil {
		if textAt(config, "updates", "codeSigningCertificate") == "" {
			set(certificatePath, "updates", "codeSigningCertificate")
		}
		set(t.signing.KeyID, "updates", "codeSigningMetadata", "keyid")
		set(string(t.signing.Algorithm), "updates", "codeSigningMetadata", "alg")
	}
	if at(config, "runtimeVersion") == nil && !t.hasPlugin {
		set(map[string]any{"policy": "appVersion"}, "runtimeVersion")
	}
	if t.hasPlugin {
		edits = append(edits, planPlugin(config, t)...)
	}
	return edits
}

// planPlugin returns the edits of the settings of the config plugin.
func planPlugin(config map[string]any, t target) (edits []edit) {
	settings := []struct{ name, value string }{{"url", strings.TrimRight(t.server, "/")}, {"project", t.project}, {"channel", t.channel}}
	index, found := pluginSettings(config)
	if found == nil {
		place := "-"
		if index >= 0 {
			place = strconv.Itoa(index)
		}
		// A slice of pairs keeps the order in which the documentation writes them.
		return []edit{{[]string{"plugins", place}, []any{pluginName, ordered(settings)}}}
	}
	for _, s := range settings {
		if s.name == "channel" && found["channel"] == nil && s.value == defaultChannel {
			continue // the plugin's default
		}
		if text, _ := found[s.name].(string); strings.TrimRight(text, "/") != s.value {
			edits = append(edits, edit{[]string{"plugins", strconv.Itoa(index), "1", s.name}, s.value})
		}
	}
	return edits
}

// ordered is an object whose members keep their order.
type ordered []struct{ name, value string }

// MarshalJSON returns the object as JSON.
func (o ordered) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, member := range o {
		if i > 0 {
			text = append(text, ',')
		}
		name, err := marshal(member.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(member.value)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}

// pluginSettings returns the index of the config plugin among the plugins, -1 if it is not there, and its settings, nil if it has none.
func pluginSettings(config map[string]any) (index int, settings map[string]any) {
	plugins, _ := config["plugins"].([]any)
	index = slices.IndexFunc(plugins, func(p any) bool {
		if list, ok := p.([]any); ok && len(list) > 0 {
			p = list[0]
		}
		return p == pluginName
	})
	if index >= 0 {
		if list, ok := plugins[index].([]any); ok && len(list) > 1 {
			settings, _ = list[1].(map[string]any)
		}
	}
	return index, settings
}

// configured contains the URL and the channel of an app's configuration, and the place of both.
type configured struct{ url, channel, from string }

// settingsOf returns the URL and the channel in a configuration. The settings of the config plugin replace the values in updates.
func settingsOf(config map[string]any) configured {
	c := configured{textAt(config, "updates", "url"), textAt(config, "updates", "requestHeaders", channelHeader), "updates.url"}
	if _, settings := pluginSettings(config); settings != nil {
		c.from = "the settings of " + pluginName
		c.url, c.channel = "", defaultChannel
		if server, project := textAt(settings, "url"), textAt(settings, "project"); server != "" && project != "" {
			c.url = updatesURL(server, project)
		}
		if channel := textAt(settings, "channel"); channel != "" {
			c.channel = channel
		}
	}
	return c
}
