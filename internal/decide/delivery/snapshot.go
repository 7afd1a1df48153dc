package delivery

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Snapshot answers the devices of one project. It is immutable and safe for concurrent use.
type Snapshot struct {
	project  models.Project
	baseURL  string
	branches map[int64]*branch
	channels map[string]*channel
	// overrides are the user overrides: ids of branches by user id.
	overrides map[string]int64
	lists     map[listKey]*releaseList
	// releases are by update id and alias. Deleted ones are included, since devices may still
	// run them.
	releases        map[string]*release
	runtimeVersions map[string]bool
	assets          models.Blobs
	patches         patchIndex
	workflows       map[string]string // of open rollouts, by update id
	// launchAssets are the MD5s of the launch assets of builds, by the build's id. They, hashKey, networkKey and trusted
	// are for telemetry.
	launchAssets map[int64]string
	hashKey      []byte
	networkKey   []byte
	trusted      []netip.Prefix
	flags        compiledFlags
	// renderer made the answers; noUpdate is the one to most requests.
	renderer *renderer
	noUpdate *body
}

// NewSnapshot indexes a project and renders what its devices can be served. baseURL begins the
// asset URLs in manifests. It fails when the state contradicts itself, such as a channel whose
// branch is missing.
func NewSnapshot(p models.ProjectSnapshot, baseURL string) (*Snapshot, error) {
	return newSnapshot(p, &Snapshot{baseURL: strings.TrimRight(baseURL, "/")})
}

// Next returns the snapshot of a later state of the same project. It reuses what s indexed and
// rendered, as far as that did not change, so that its cost depends mostly on the change.
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

// indexReleases indexes the releases, and returns them in their order.
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

// Project is the project that the snapshot is of.
func (s *Snapshot) Project() models.Project { return s.project }

// Version is the project's snapshot version that the snapshot was made from.
func (s *Snapshot) Version() int64 { return s.project.SnapshotVersion }

// HasChannel reports whether the project has the channel.
func (s *Snapshot) HasChannel(name string) bool { return s.channels[name] != nil }

// HasRuntimeVersion reports whether the project has a release for the runtime version.
func (s *Snapshot) HasRuntimeVersion(version string) bool { return s.runtimeVersions[version] }

// RolloutWorkflow returns the id of the workflow that rolls out the release with the given
// update id (lower case), its own or an alias. ok is false when no rollout of it is open.
func (s *Snapshot) RolloutWorkflow(updateUUID string) (workflowID string, ok bool) {
	updateUUID, _ = s.CanonicalUpdate(updateUUID)
	workflowID, ok = s.workflows[updateUUID]
	return workflowID, ok
}
