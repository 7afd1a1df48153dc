package delivery

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/waft-ota/waft/internal/flags"
	"github.com/waft-ota/waft/models"
)

// Snapshot answers the devices of one project. It is immutable and safe for
// concurrent use.
type Snapshot struct {
	project  models.Project
	baseURL  string
	branches map[int64]*branch
	channels map[string]*channel
	// overrides are the ids of the branches that users are sent to, by user id.
	overrides map[string]int64
	streams   map[streamKey]*stream
	// releases by update UUID: every one that the snapshot was made from, deleted
	// ones too, since devices may still run them.
	releases  map[string]*release
	inOrder   []*release // as they came
	assets    models.Blobs
	patches   patchIndex
	workflows map[string]string
	// builds and hashKey are for telemetry.
	builds  map[int64]*models.Build
	hashKey []byte
	flags   compiledFlags
	// names are indexed when they are first asked for.
	names func() names
	// renderer made the answers; noUpdate is the one to most requests.
	renderer *renderer
	noUpdate *body
}

// NewSnapshot indexes a project and renders what its devices can be served.
// baseURL begins the asset URLs in manifests, without a trailing slash. It fails
// when the state contradicts itself, such as a channel whose branch is missing.
func NewSnapshot(p models.ProjectSnapshot, baseURL string) (*Snapshot, error) {
	return newSnapshot(p, &Snapshot{baseURL: strings.TrimRight(baseURL, "/")})
}

// Next is the snapshot of a later state of the same project. It takes over what s
// has indexed and rendered of all that p shares with the state that s was made
// from, so that a change costs little more than what changed.
func (s *Snapshot) Next(p models.ProjectSnapshot) (*Snapshot, error) { return newSnapshot(p, s) }

func newSnapshot(p models.ProjectSnapshot, before *Snapshot) (_ *Snapshot, err error) {
	s := &Snapshot{
		project:   p.Project,
		baseURL:   before.baseURL,
		overrides: p.UserOverrides,
		assets:    p.Blobs,
		patches:   indexPatches(p.Patches),
		workflows: make(map[string]string, len(p.RolloutWorkflows)),
		builds:    p.Builds,
		hashKey:   p.HashKey,
		flags:     before.flags.next(p),
	}
	if s.branches, err = indexBranches(p.Branches, before.branches); err != nil {
		return nil, err
	}
	s.renderer = newRenderer(p, s.baseURL)
	s.renderer.takeOver(before.renderer)
	defer s.renderer.forget()
	if s.noUpdate, err = s.renderer.noUpdate(); err != nil {
		return nil, err
	}
	if s.channels, err = indexChannels(p, s.branches, s.renderer); err != nil {
		return nil, err
	}
	if err := s.checkOverrides(before); err != nil {
		return nil, err
	}
	s.indexReleases(p, before.inOrder)
	s.names = sync.OnceValue(s.indexNames)
	s.streams = groupStreams(s.inOrder, s.branches)
	for _, st := range s.streams {
		if err := st.render(s.renderer); err != nil {
			return nil, fmt.Errorf("project %s: %w", p.Project.Slug, err)
		}
	}
	return s, nil
}

// maxApart is how far the releases of two snapshots may be apart in their orders to
// be recognized.
const maxApart = 16

// indexReleases fills in the releases and which workflows roll them out. before are
// those of the snapshot before, most of which are the same in the same order.
func (s *Snapshot) indexReleases(p models.ProjectSnapshot, before []*release) {
	s.releases = make(map[string]*release, len(p.Releases))
	s.inOrder = make([]*release, len(p.Releases))
	for i, r := range p.Releases {
		var old *release
		if at := slices.IndexFunc(before[:min(maxApart, len(before))], func(b *release) bool { return b.Release == r }); at >= 0 {
			old, before = before[at], before[at+1:]
		}
		rel := newRelease(r, s.branches, old)
		s.inOrder[i], s.releases[rel.uuid] = rel, rel
		if id, ok := p.RolloutWorkflows[r.ID]; ok {
			s.workflows[rel.uuid] = id
		}
	}
	s.indexAliases(p.Aliases)
}

// Project is the project that the snapshot is of.
func (s *Snapshot) Project() models.Project { return s.project }

// Flags are the project's feature flags, for clients that evaluate them.
func (s *Snapshot) Flags() *flags.Definitions { return s.flags.definitions }

// Version is the project's snapshot version that the snapshot was made from.
func (s *Snapshot) Version() int64 { return s.project.SnapshotVersion }

// Asset is what is known of the file with the given MD5 (lower-case hex), if a
// build has it.
func (s *Snapshot) Asset(md5 string) (AssetMeta, bool) {
	b, ok := s.assets.Get(md5)
	return AssetMeta{Blob: b, ProjectID: s.project.ID}, ok
}

// RolloutWorkflow is the id of the workflow that rolls out the release with the
// given update UUID (lower case), its own or an alias, if one is running or paused.
func (s *Snapshot) RolloutWorkflow(updateUUID string) (workflowID string, ok bool) {
	updateUUID, _ = s.CanonicalUpdate(updateUUID)
	workflowID, ok = s.workflows[updateUUID]
	return workflowID, ok
}
