package delivery

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const (
	testBaseURL = "https://ota.example.com"
	testRuntime = "1.0.0"
)

// world is a project that tests change as its engineers would.
type world struct {
	state  models.ProjectSnapshot
	nextID int64
	clock  time.Time
}

// newWorld has the channel production, pointing to the branch production.
func newWorld() *world {
	w := &world{nextID: 100, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.state.Project = models.Project{ID: 7, UUID: uuid.NewSHA1(uuid.Nil, []byte("project")), Slug: "demo", SnapshotVersion: 3}
	w.state.Builds = map[int64]*models.Build{}
	w.state.RolloutWorkflows = map[int64]string{}
	w.state.UserOverrides = map[string]int64{}
	w.channel("production", w.branch("production"))
	return w
}

func (w *world) id() int64 { w.nextID++; return w.nextID }

func (w *world) branch(name string) int64 {
	id := w.id()
	w.state.Branches = append(w.state.Branches, models.Branch{ID: id, ProjectID: 7, Name: name})
	return id
}

// branchID is the id of the branch of that name, made when it is missing.
func (w *world) branchID(name string) int64 {
	for _, b := range w.state.Branches {
		if b.Name == name {
			return b.ID
		}
	}
	return w.branch(name)
}

func (w *world) channel(name string, branchID int64) {
	w.state.Channels = append(w.state.Channels, models.Channel{ID: w.id(), ProjectID: 7, Name: name, BranchID: branchID})
}

// production is the channel that most tests use.
func (w *world) production() *models.Channel { return &w.state.Channels[0] }

// rollOut sends percentage percent of production's devices to the branch.
func (w *world) rollOut(branch string, percentage float64) {
	id := w.branchID(branch)
	w.production().RolloutBranchID, w.production().RolloutPercentage = &id, &percentage
}

// send gives the user an override to the branch.
func (w *world) send(userID, branch string) {
	w.state.UserOverrides[userID] = w.branchID(branch)
}

// unsend takes the user's override away.
func (w *world) unsend(userID string) { delete(w.state.UserOverrides, userID) }

// build adds a build of a bundle and one picture.
func (w *world) build() *models.Build {
	id := w.id()
	b := &models.Build{
		ID: id, ProjectID: 7, Platform: models.Android, RuntimeVersion: testRuntime,
		ClientConfig: json.RawMessage(`{"name": "Demo"}`),
		Assets: []models.BuildAsset{
			testAsset(fmt.Sprintf("bundle-%d", id), "index.hbc", "application/javascript", ".bundle", true),
			testAsset("picture", "assets/picture", "image/png", ".png", false),
		},
	}
	w.state.Builds[id] = b
	return b
}

func testAsset(content, path, contentType, extension string, launch bool) models.BuildAsset {
	sum := sums(content)
	return models.BuildAsset{
		ProjectID: 7, Path: path, MD5: sum.md5, SHA256: sum.sha256, ContentType: contentType,
		FileExtension: extension, SizeBytes: int64(len(content)), IsLaunchAsset: launch,
	}
}

// publish makes a release on the branch; change may set what is special about it.
// It returns the release's id.
func (w *world) publish(branch string, change ...func(*models.Release)) int64 {
	buildID := w.build().ID
	r := models.Release{
		ProjectID: 7, BuildID: &buildID, BranchID: w.branchID(branch), BranchName: branch,
		Platform: models.Android, RuntimeVersion: testRuntime,
		IsEnabled: true, RolloutPercentage: 100, Kind: models.KindUpdate,
	}
	return w.insert(&r, change...)
}

func percentage(p float64) func(*models.Release) {
	return func(r *models.Release) { r.RolloutPercentage = p }
}

func toEmbedded(r *models.Release) { r.Kind, r.BuildID = models.KindRollbackToEmbedded, nil }

func disabled(r *models.Release) { r.IsEnabled = false }

// release is for changing.
func (w *world) release(id int64) *models.Release {
	for _, r := range w.state.Releases {
		if r.ID == id {
			return r
		}
	}
	panic("no such release")
}

// remove deletes a release as the store does.
func (w *world) remove(id int64) {
	deleted := w.clock
	w.release(id).DeletedAt = &deleted
}

func (w *world) snapshot(t testing.TB) *Snapshot {
	t.Helper()
	s, err := NewSnapshot(w.copy(), testBaseURL)
	require.NoError(t, err)
	return s
}

func (w *world) uuid(id int64) string { return w.release(id).UpdateUUID.String() }

// ask is a request of a stock client on production.
func ask(deviceID string) Request {
	return Request{
		Channel: "production", Platform: models.Android, RuntimeVersion: testRuntime,
		DeviceID: deviceID, Protocol: 1, Accept: ParseAccept(stockAccept),
	}
}
