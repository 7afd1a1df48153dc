package delivery

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Snapshot responds to the devices of one project. It is immutable and safe for concurrent use.
type Snapshot struct {
	project  models.Project
	baseURL  string
	branches map[int64]*branch
	channels map[string]*channel
	// overrides are the user overrides: branch IDs by user ID.
	overrides map[string]int64
	lists     map[listKey]*releaseList
	// releases holds releases by update ID and alias. It includes deleted releases, because devices may still run
	// them.
	releases        map[string]*release
	runtimeVersions map[string]bool
	assets          models.Blobs
	patches         patchIndex
	workflows       map[string]string // of open rollouts, by update ID
	// launchAssets holds the MD5 of each build's launch asset, by build ID. launchAssets, hashKey, networkKey and
	// trusted are for telemetry.
	launchAssets map[int64]string
	hashKey      []byte
	networkKey   []byte
	trusted      []netip.Prefix
	flags        compiledFlags
	// renderer rendered the responses. noUpdate is the response to most requests.
	renderer *renderer
	noUpdate *body
}

// NewSnapshot indexes a project and renders the responses to its devices. baseURL is the beginning of the asset URLs
// in manifests. NewSnapshot returns an error if the state is inconsistent, for example if a channel's branch does not
// exist.
func NewSnapshot(p models.ProjectSnapshot, baseURL string) (*Snapshot, error) {
	return newSnapshot(p, &Snapshot{baseURL: strings.TrimRight(baseURL, "/")})
}

// Next returns the snapshot of a later state of the same project. It reuses everything in s that did not change, so
// its cost depends mostly on the size of the change.
func (s *Snapshot) Next(p models.ProjectSnapshot) (*Snapshot, error) { return newSnapshot(p, s) }

func newSnapshot(p models.ProjectSnapshot, before *Snapshot) (_ *Snapshot, err error) {
	s := &Snapshot{
		project:         p.Project,
		baseURL:         before.baseURL,
		overrides:       p.UserOverrides,
		releases:        make(map[string]*release, len(p.Releases)),
		runtimeVersions: map[string]bool{},
		assets:          p.Blobs,
		patches:         indexPatches(p.Patches),
		workflows:       make(map[string]string, len(p.RolloutWorkflows)),
		launchAssets:    launchAssets(p.Builds),
		hashKey:         p.HashKey,
		networkKey:      p.NetworkKey,
	}
	if s.flags, err = before.flags.next(p); err != nil {
		return nil, fmt.Errorf("project %s: %w", p.Project.Slug, err)
	}
	if s.trusted, err = models.ParseNetworks(p.Project.TrustedNetworks); err != nil {
		return nil, err
	}
	if s.branches, err = indexBranches(p.Branches, before.branches); err != nil {
		return nil, err
	}
	s.renderer = newRenderer(p, s.baseURL, before.renderer)
	defer s.renderer.finish()
	if s.noUpdate, err = s.renderer.noUpdate(""); err != nil {
		return nil, err
	}
	if s.channels, err = indexChannels(p, s.branches, s.renderer); err != nil {
		return nil, err
	}
	if err := s.checkOverrides(before); err != nil {
		return nil, err
	}
	s.lists = groupReleases(s.indexReleases(p), s.branches)
	for _, l := range s.lists {
		if err := l.render(s.renderer); err != nil {
			return nil, fmt.Errorf("project %s: %w", p.Project.Slug, err)
		}
	}
	return s, nil
}

// indexReleases indexes the releases and returns them in the same order.
func (s *Snapshot) indexReleases(p models.ProjectSnapshot) []*release {
	all := make([]*release, len(p.Releases))
	for i, r := range p.Releases {
		rel := newRelease(r, s.branches)
		all[i], s.releases[rel.uuid] = rel, rel
		s.runtimeVersions[r.RuntimeVersion] = true
		if id, ok := p.RolloutWorkflows[r.ID]; ok {
			s.workflows[rel.uuid] = id
		}
	}
	s.indexAliases(p.Aliases)
	return all
}

// Project returns the snapshot's project.
func (s *Snapshot) Project() models.Project { return s.project }

// Version returns the project's snapshot version from which the snapshot was built.
func (s *Snapshot) Version() int64 { return s.project.SnapshotVersion }

// HasChannel reports whether the project has the channel.
func (s *Snapshot) HasChannel(name string) bool { return s.channels[name] != nil }

// HasRuntimeVersion reports whether the project has a release for the runtime version.
func (s *Snapshot) HasRuntimeVersion(version string) bool { return s.runtimeVersions[version] }

// RolloutWorkflow returns the ID of the workflow that rolls out the release with the given update ID (lower case),
// its own or an alias. ok is false if the release has no open rollout.
func (s *Snapshot) RolloutWorkflow(updateUUID string) (workflowID string, ok bool) {
	updateUUID, _ = s.CanonicalUpdate(updateUUID)
	workflowID, ok = s.workflows[updateUUID]
	return workflowID, ok
}
