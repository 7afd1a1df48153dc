package fleet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// check asks for an update and takes what it may.
func (f *Fleet) check(ctx context.Context, d *device, running *stored) (outcome Outcome, critical bool) {
	a, err := f.askManifest(ctx, d, running)
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

func (f *Fleet) askManifest(ctx context.Context, d *device, running *stored) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.options.manifestURL(), nil)
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
	f.counters.manifest.add(f.options.Now().Sub(began))
	a, err := readAnswer(res.StatusCode, res.Header, body)
	if err != nil {
		return answer{}, err
	}
	if a.filters == nil {
		return answer{}, errors.New("header expo-manifest-filters is missing, so a device keeps its old filters")
	}
	return a, nil
}

// take follows an answer. Filters and server-defined headers are kept with it,
// unless it could not be followed.
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
	case a.directive != nil && a.directive.kind == rollBackToEmbedded:
		if d.storage.rollBackToEmbedded(a.directive.commitTime, running) && running.manifest != nil {
			return WentToEmbedded, false, nil
		}
		return NoUpdate, false, nil
	case a.directive != nil || a.manifest == nil:
		return NoUpdate, false, nil
	}
	m, err := f.manifest(a.manifest)
	if err != nil {
		return CheckFailed, false, err
	}
	switch {
	case m.RuntimeVersion != d.RuntimeVersion:
		return CheckFailed, false, fmt.Errorf("manifest: runtimeVersion is %q, the device has %q", m.RuntimeVersion, d.RuntimeVersion)
	case !a.filters.Pass(m.Metadata):
		return CheckFailed, false, errors.New("manifest: the update fails the filters of its own answer")
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

// manifest parses a manifest once for all the devices that get the same bytes.
func (f *Fleet) manifest(body []byte) (*Manifest, error) {
	sum := sha256.Sum256(body)
	if m, ok := f.manifests.Load(sum); ok {
		return m.(*Manifest), nil
	}
	m, err := ParseManifest(body)
	if err != nil {
		return nil, err
	}
	kept, _ := f.manifests.LoadOrStore(sum, m)
	return kept.(*Manifest), nil
}
