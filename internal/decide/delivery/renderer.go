package delivery

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/waft-ota/waft/models"
)

// renderer renders and signs the responses of one snapshot, each once for all devices.
type renderer struct {
	// builds is nil once the snapshot is built.
	builds map[int64]*models.Build
	assets models.Blobs
	// The URL of an asset is its MD5 between urlStart and urlEnd.
	urlStart, urlEnd string
	signer           *signer
	// noUpdates holds the no-update directives by minimum runtime version, with "" for the directive without a
	// minimum.
	noUpdates map[string]*body
	releases  map[rendering]*body
	// earlier is the renderer of the previous snapshot, whose responses are reused. It is nil if the responses would
	// differ, and once the snapshot is built.
	earlier *renderer
}

// rendering identifies a rendered release. Releases of one project with equal renderings have equal responses.
type rendering struct {
	release *models.Release
	branch  *branch
	uuid    string // under which the release is served
}

// newRenderer returns a renderer. assetBaseURL is the beginning of asset URLs, without a trailing slash. earlier is
// the renderer of an earlier state of the project, or nil.
func newRenderer(p models.ProjectSnapshot, assetBaseURL string, earlier *renderer) *renderer {
	m := &renderer{
		builds: p.Builds, assets: p.Blobs,
		urlStart:  assetBaseURL + "/v1/ota/assets/",
		urlEnd:    "?project=" + url.QueryEscape(p.Project.Slug),
		signer:    newSigner(p.Signing),
		noUpdates: map[string]*body{},
		releases:  map[rendering]*body{},
	}
	if earlier != nil && m.urlStart == earlier.urlStart && m.urlEnd == earlier.urlEnd &&
		m.signer.equal(earlier.signer) && m.assets.SameTypes(earlier.assets) {
		m.earlier = earlier
	}
	return m
}

// finish releases what only rendering needs: the builds, and the previous renderer, which would keep all earlier
// renderers alive.
func (m *renderer) finish() { m.builds, m.earlier = nil, nil }

// rendered returns the response that serves the release, and reuses the previous snapshot's response if possible.
func (m *renderer) rendered(r *release) (b *body, err error) {
	key := rendering{r.Release, r.branch, r.served.uuid}
	if m.earlier != nil {
		b = m.earlier.releases[key]
	}
	if b == nil {
		if b, err = m.release(r); err != nil {
			return nil, err
		}
	}
	m.releases[key] = b
	return b, nil
}

// release renders a release. A rollback to the embedded update gives the embedded update the rollback's commit time,
// so that the client treats every later release as newer.
func (m *renderer) release(r *release) (*body, error) {
	if !r.updates() {
		return m.directive(directive{
			Type: "rollBackToEmbedded", Parameters: map[string]any{"commitTime": commitTime(r.CreatedAt)},
		})
	}
	of, err := m.manifest(r)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return newBody(manifestPart, text, m.signer)
}

// noUpdate returns the directive that there is no update. minRuntimeVersion is set for devices below it, which need a
// new binary from the app store.
func (m *renderer) noUpdate(minRuntimeVersion string) (b *body, err error) {
	b = m.noUpdates[minRuntimeVersion]
	if b == nil && m.earlier != nil {
		b = m.earlier.noUpdates[minRuntimeVersion]
	}
	if b == nil {
		d := directive{Type: "noUpdateAvailable"}
		if minRuntimeVersion != "" {
			d.Extra = map[string]any{"storeUpdateRequired": true, "minRuntimeVersion": minRuntimeVersion}
		}
		if b, err = m.directive(d); err != nil {
			return nil, err
		}
	}
	m.noUpdates[minRuntimeVersion] = b
	return b, nil
}

// directive is a response without an update. Clients fail on types other than noUpdateAvailable and
// rollBackToEmbedded, and ignore Extra.
type directive struct {
	Type       string         `json:"type"`
	Parameters map[string]any `json:"parameters,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

func (m *renderer) directive(d directive) (*body, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("directive %s: %w", d.Type, err)
	}
	return newBody(directivePart, text, m.signer)
}
