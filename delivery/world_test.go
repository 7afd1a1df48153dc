package delivery

import (
	"encoding/json"
	"fmt"
	"slices"
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
	id := w.branchID(branch)
	w.unsend(userID)
	w.state.UserOverrides = append(w.state.UserOverrides, models.UserOverride{ID: w.id(), ProjectID: 7, UserID: userID, BranchID: id})
}

// unsend takes the user's override away.
func (w *world) unsend(userID string) {
	w.state.UserOverrides = slices.DeleteFunc(w.state.UserOverrides, func(o models.UserOverride) bool { return o.UserID == userID })
}

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
	w.clock = w.clock.Add(time.Hour)
	buildID := w.build().ID
	id := w.id()
	r := models.Release{
		ID: id, ProjectID: 7,
		UpdateUUID: uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "update-%d", id)),
		GroupID:    uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "group-%d", id)),
		BuildID:    &buildID, BranchID: w.branchID(branch), BranchName: branch,
		Platform: models.Android, RuntimeVersion: testRuntime,
		IsEnabled: true, RolloutPercentage: 100, Kind: models.KindUpdate,
		CreatedAt: w.clock, UpdatedAt: w.clock,
	}
	r.ShareSalt = models.ReleaseSalt(r.GroupID)
	for _, c := range change {
		c(&r)
	}
	w.state.Releases = append([]models.Release{r}, w.state.Releases...)
	return id
}

func percentage(p float64) func(*models.Release) {
	return func(r *models.Release) { r.RolloutPercentage = p }
}

func toEmbedded(r *models.Release) { r.Kind, r.BuildID = models.KindRollbackToEmbedded, nil }

func disabled(r *models.Release) { r.IsEnabled = false }

// release is for changing; the pointer is good until the next publish.
func (w *world) release(id int64) *models.Release {
	for i := range w.state.Releases {
		if w.state.Releases[i].ID == id {
			return &w.state.Releases[i]
		}
	}
	panic("no such release")
}

// remove deletes a release as the store does.
func (w *world) remove(id int64) {
	deleted := w.clock
	w.release(id).DeletedAt = &deleted
}

// revert takes a release back as an automatic rollback does: it is disabled, and
// its successor reaches the devices that it reached.
func (w *world) revert(id int64, change ...func(*models.Release)) int64 {
	bad := w.release(id)
	bad.IsEnabled = false
	salt, share, branch := bad.ShareSalt, bad.RolloutPercentage, bad.BranchName
	return w.publish(branch, append(change, func(r *models.Release) {
		r.ShareSalt, r.RolloutPercentage = salt, share
	})...)
}

func (w *world) snapshot(t testing.TB) *Snapshot {
	t.Helper()
	s, err := NewSnapshot(w.state, testBaseURL)
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
