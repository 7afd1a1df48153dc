package delivery

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/waft-ota/waft/models"
)

// renderer prepares the answers of one project, when its snapshot is made: each is
// rendered and signed once, however many devices get it.
type renderer struct {
	builds map[int64]*models.Build
	assets models.Blobs
	// An asset's URL is its MD5 between the two.
	urlStart, urlEnd string
	signer           *signer
	// noUpdates is nil until it is asked for. storeUpdates are by minimum runtime
	// version.
	noUpdates    *body
	storeUpdates map[string]*body
	releases     map[rendering]*body
	// earlier made the snapshot before, nil when nothing that it rendered is good here.
	earlier *renderer
}

// rendering is all that tells two answers of one project apart.
type rendering struct {
	release *models.Release
	branch  *branch
	name    string // the UUID that it is served under
}

// newRenderer takes what the URLs of files begin with, without a trailing slash.
func newRenderer(p models.ProjectSnapshot, assetBaseURL string) *renderer {
	return &renderer{
		builds: p.Builds, assets: p.Blobs,
		urlStart:     assetBaseURL + "/v1/ota/assets/",
		urlEnd:       "?project=" + url.QueryEscape(p.Project.Slug),
		signer:       newSigner(p.Signing),
		storeUpdates: map[string]*body{},
		releases:     map[rendering]*body{},
	}
}

// takeOver has m reuse what before rendered for an earlier state of the project, as
// far as it is good here too, until forget.
func (m *renderer) takeOver(before *renderer) {
	if before != nil && m.urlStart == before.urlStart && m.urlEnd == before.urlEnd &&
		m.signer.equal(before.signer) && m.assets.SameTypes(before.assets) {
		m.earlier = before
	}
}

// forget lets go of the renderer before, so that none is kept by those after it.
func (m *renderer) forget() { m.earlier = nil }

// rendered is what a device is answered with that gets the release.
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

// release renders a release.
func (m *renderer) release(r *release) (*body, error) {
	if !r.updates() {
		return renderDirective(rollBackDirective(r.CreatedAt), m.signer)
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

// noUpdate is the answer to most requests.
func (m *renderer) noUpdate() (_ *body, err error) {
	if m.noUpdates == nil && m.earlier != nil {
		m.noUpdates = m.earlier.noUpdates
	}
	if m.noUpdates == nil {
		m.noUpdates, err = renderDirective(noUpdateDirective(), m.signer)
	}
	return m.noUpdates, err
}

// storeUpdate is the answer to devices below a channel's minimum runtime version.
func (m *renderer) storeUpdate(minRuntimeVersion string) (_ *body, err error) {
	b := m.storeUpdates[minRuntimeVersion]
	if b == nil && m.earlier != nil {
		b = m.earlier.storeUpdates[minRuntimeVersion]
	}
	if b == nil {
		if b, err = renderDirective(storeUpdateDirective(minRuntimeVersion), m.signer); err != nil {
			return nil, err
		}
	}
	m.storeUpdates[minRuntimeVersion] = b
	return b, nil
}
