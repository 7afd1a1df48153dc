package delivery

import (
	"fmt"
	"strings"

	"github.com/waft-ota/waft/flags"
	"github.com/waft-ota/waft/models"
)

// Snapshot answers the devices of one project. It is immutable and safe for
// concurrent use.
type Snapshot struct {
	project  models.Project
	channels map[string]*channel
	// overrides are the branches that users are sent to, by user id.
	overrides map[string]*branch
	streams   map[streamKey]*stream
	// releases by update UUID: every one that the snapshot was made from, deleted
	// ones too, since devices may still run them.
	releases  map[string]*release
	assets    map[string]AssetMeta
	workflows map[string]string
	flags     *flags.Definitions
}

// NewSnapshot indexes a project and renders what its devices can be served.
// baseURL begins the asset URLs in manifests, without a trailing slash. It fails
// when the state contradicts itself, such as a channel whose branch is missing.
func NewSnapshot(p models.ProjectSnapshot, baseURL string) (*Snapshot, error) {
	branches, err := indexBranches(p.Branches)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{
		project:   p.Project,
		releases:  make(map[string]*release, len(p.Releases)),
		assets:    indexAssets(p.Project.ID, p.Builds),
		workflows: make(map[string]string, len(p.RolloutWorkflows)),
		flags:     flags.NewDefinitions(p),
	}
	if s.channels, err = indexChannels(p, branches); err != nil {
		return nil, err
	}
	if s.overrides, err = indexOverrides(p.UserOverrides, branches); err != nil {
		return nil, err
	}
	all := make([]*release, 0, len(p.Releases))
	for i := range p.Releases {
		r := newRelease(&p.Releases[i], branches)
		all = append(all, r)
		s.releases[r.uuid] = r
		if id, ok := p.RolloutWorkflows[r.ID]; ok {
			s.workflows[r.uuid] = id
		}
	}
	s.streams = groupStreams(all, branches)
	m := manifests{project: p.Project, baseURL: strings.TrimRight(baseURL, "/"), builds: p.Builds, assets: s.assets}
	for _, st := range s.streams {
		if err := st.render(m); err != nil {
			return nil, fmt.Errorf("project %s: %w", p.Project.Slug, err)
		}
	}
	return s, nil
}

// Project is the project that the snapshot is of.
func (s *Snapshot) Project() models.Project { return s.project }

// Flags are the project's feature flags, for clients that evaluate them.
func (s *Snapshot) Flags() *flags.Definitions { return s.flags }

// Version is the project's snapshot version that the snapshot was made from.
func (s *Snapshot) Version() int64 { return s.project.SnapshotVersion }

// Asset is what is known of the file with the given MD5 (lower-case hex), if a
// build that a live release refers to has it.
func (s *Snapshot) Asset(md5 string) (AssetMeta, bool) {
	a, ok := s.assets[md5]
	return a, ok
}

// RolloutWorkflow is the id of the workflow that rolls out the release with the
// given update UUID (lower case), if one is running or paused.
func (s *Snapshot) RolloutWorkflow(updateUUID string) (workflowID string, ok bool) {
	workflowID, ok = s.workflows[updateUUID]
	return workflowID, ok
}
