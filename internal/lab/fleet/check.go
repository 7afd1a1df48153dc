package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// check requests an update, and downloads it if the client would.
func (f *Fleet) check(ctx context.Context, d *device, running *stored) (outcome Outcome, critical bool) {
	a, err := f.requestManifest(ctx, d, running)
	if err != nil {
		f.fail(ctx, "manifest", err)
		return CheckFailed, false
	}
	outcome, critical, err = f.take(ctx, d, running, a)
	if err != nil {
		f.fail(ctx, "update", err)
		return CheckFailed, false
	}
	return outcome, critical
}

func (f *Fleet) requestManifest(ctx context.Context, d *device, running *stored) (answer, error) {
	address := f.options.BaseURL + "/v1/ota/manifest/" + url.PathEscape(f.options.ProjectSlug)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{}, err
	}
	if err := d.manifestHeaders(req.Header, running); err != nil {
		return answer{}, err
	}
	began := f.options.Now()
	res, err := f.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, err
	}
	f.counters.took(&f.counters.manifest, f.options.Now().Sub(began))
	return readAnswer(res.StatusCode, res.Header, body)
}

// take acts on a response. It keeps the response's filters and server-defined headers unless it fails.
func (f *Fleet) take(ctx context.Context, d *device, running *stored, a answer) (_ Outcome, critical bool, err error) {
	before := d.storage.filters
	d.storage.filters = a.filters
	defer func() {
		if err != nil {
			d.storage.filters = before
		} else if a.serverHeaders != nil {
			d.serverHeaders = a.serverHeaders
		}
	}()
	switch {
	case !a.rollbackTo.IsZero():
		if d.storage.rollBackToEmbedded(a.rollbackTo, running) && running.manifest != nil {
			return WentToEmbedded, false, nil
		}
		return NoUpdate, false, nil
	case a.manifest == nil:
		return NoUpdate, false, nil
	}
	m, err := ParseManifest(a.manifest)
	if err != nil {
		return CheckFailed, false, err
	}
	switch {
	case m.RuntimeVersion != d.RuntimeVersion:
		return CheckFailed, false, fmt.Errorf("manifest: runtimeVersion is %q, the device has %q", m.RuntimeVersion, d.RuntimeVersion)
	case !a.filters.Pass(m.Metadata):
		return CheckFailed, false, errors.New("manifest: the update does not pass the filters of its own response")
	case m.ID == running.id():
		return NoUpdate, false, nil
	case !d.storage.wants(m, running):
		return RefusedOlder, false, nil
	}
	if d.storage.find(m.ID) == nil {
		for _, asset := range append([]Asset{m.Launch}, m.Assets...) {
			if d.storage.holds(asset.Key) {
				continue
			}
			if err := f.fetchAsset(ctx, d, running, m, asset); err != nil {
				return CheckFailed, false, err
			}
		}
		d.storage.add(m)
	}
	return TookUpdate, m.Critical, nil
}

// manifestHeaders sets the headers of a manifest request after a launch of running.
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
	for name, value := range d.serverHeaders {
		h.Set(name, fmt.Sprint(value))
	}
	// The app's own headers, from updates.requestHeaders in its config, come last.
	h.Set("expo-channel-name", d.Channel)
	return nil
}

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
