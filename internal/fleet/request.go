package fleet

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
)

// manifestHeaders are the headers of a manifest request in a start that
// launched running.
func (d *device) manifestHeaders(h http.Header, running *stored) error {
	d.commonHeaders(h, running)
	h.Set("accept", "multipart/mixed,application/expo+json,application/json")
	h.Set("expo-json-error", "true")
	if failed := d.storage.recentFailed(); len(failed) > 0 {
		list, err := stringList(failed)
		if err != nil {
			return fmt.Errorf("expo-recent-failed-update-ids: %w", err)
		}
		h.Set("expo-recent-failed-update-ids", list)
	}
	if len(d.extraParams) > 0 {
		names := slices.Sorted(maps.Keys(d.extraParams))
		params, err := stringDictionary(names, d.extraParams)
		if err != nil {
			return fmt.Errorf("expo-extra-params: %w", err)
		}
		h.Set("expo-extra-params", params)
	}
	for name, value := range d.serverHeaders {
		h.Set(name, fmt.Sprint(value))
	}
	// What the app's updates.requestHeaders configure comes last.
	h.Set("expo-channel-name", d.Channel)
	return nil
}

// assetHeaders are the headers of an asset request for the update requested.
func (d *device) assetHeaders(h http.Header, running *stored, requested string) {
	d.commonHeaders(h, running)
	h.Set("accept", "*/*")
	h.Set("expo-requested-update-id", requested)
	h.Set("expo-channel-name", d.Channel)
}

func (d *device) commonHeaders(h http.Header, running *stored) {
	h.Set("expo-protocol-version", "1")
	h.Set("expo-platform", string(d.Platform))
	h.Set("expo-runtime-version", d.RuntimeVersion)
	h.Set("expo-api-version", "1")
	h.Set("expo-updates-environment", "BARE")
	h.Set("eas-client-id", d.easClientID())
	h.Set("expo-current-update-id", running.id())
	h.Set("expo-embedded-update-id", d.EmbeddedID)
}

func (o Options) manifestURL() string {
	return o.BaseURL + "/v1/ota/manifest/" + url.PathEscape(o.ProjectSlug)
}

func (o Options) reportURL() string { return o.BaseURL + "/v1/ota/health-metrics" }
