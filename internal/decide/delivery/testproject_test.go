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

// testProject is a project that tests change as its engineers would.
type testProject struct {
	state  models.ProjectSnapshot
	nextID int64
	clock  time.Time
}

// newTestProject returns a project with the channel production, which points to the branch production.
func newTestProject() *testProject {
	tp := &testProject{nextID: 100, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	tp.state.Project = models.Project{ID: 7, UUID: uuid.NewSHA1(uuid.Nil, []byte("project")), Slug: "demo", SnapshotVersion: 3}
	tp.state.Builds = map[int64]*models.Build{}
	tp.state.RolloutWorkflows = map[int64]string{}
	tp.state.UserOverrides = map[string]int64{}
	tp.channel("production", tp.branch("production"))
	return tp
}

func (tp *testProject) id() int64 { tp.nextID++; return tp.nextID }

func (tp *testProject) branch(name string) int64 {
	id := tp.id()
	tp.state.Branches = append(tp.state.Branches, models.Branch{ID: id, ProjectID: 7, Name: name})
	return id
}

// branchID returns the ID of the branch with the given name and creates the branch if it does not exist.
func (tp *testProject) branchID(name string) int64 {
	for _, b := range tp.state.Branches {
		if b.Name == name {
			return b.ID
		}
	}
	return tp.branch(name)
}

func (tp *testProject) channel(name string, branchID int64) {
	tp.state.Channels = append(tp.state.Channels, models.Channel{ID: tp.id(), ProjectID: 7, Name: name, BranchID: branchID})
}

// production returns the channel that most tests use.
func (tp *testProject) production() *models.Channel { return &tp.state.Channels[0] }

// rollOut sends a percentage of production's devices to the branch.
func (tp *testProject) rollOut(branch string, percentage float64) {
	id := tp.branchID(branch)
	tp.production().RolloutBranchID, tp.production().RolloutPercentage = &id, &percentage
}

// send gives the end user an override to the branch.
func (tp *testProject) send(userID, branch string) {
	tp.state.UserOverrides[userID] = tp.branchID(branch)
}

// unsend removes the end user's override.
func (tp *testProject) unsend(userID string) { delete(tp.state.UserOverrides, userID) }

// build adds a build with a bundle and one picture.
func (tp *testProject) build() *models.Build {
	id := tp.id()
	b := &models.Build{
		ID: id, ProjectID: 7, Platform: models.Android, RuntimeVersion: testRuntime,
		ClientConfig: json.RawMessage(`{"name": "Demo"}`),
		Assets: []models.BuildAsset{
			testAsset(fmt.Sprintf("bundle-%d", id), "index.hbc", "application/javascript", ".bundle", true),
			testAsset("picture", "assets/picture", "image/png", ".png", false),
		},
	}
	tp.state.Builds[id] = b
	return b
}

func testAsset(content, path, contentType, extension string, launch bool) models.BuildAsset {
	sum := sums(content)
	return models.BuildAsset{
		ProjectID: 7, Path: path, MD5: sum.md5, SHA256: sum.sha256, ContentType: contentType,
		FileExtension: extension, SizeBytes: int64(len(content)), IsLaunchAsset: launch,
	}
}

// publish publishes a release on the branch and returns its ID. change may modify the release.
func (tp *testProject) publish(branch string, change ...func(*models.Release)) int64 {
	buildID := tp.build().ID
	r := models.Release{
		ProjectID: 7, BuildID: &buildID, BranchID: tp.branchID(branch), BranchName: branch,
		Platform: models.Android, RuntimeVersion: testRuntime,
		IsEnabled: true, RolloutPercentage: 100, Kind: models.KindUpdate,
	}
	return tp.insert(&r, change...)
}

func percentage(p float64) func(*models.Release) {
	return func(r *models.Release) { r.RolloutPercentage = p }
}

func toEmbedded(r *models.Release) { r.Kind, r.BuildID = models.KindRollbackToEmbedded, nil }

func disabled(r *models.Release) { r.IsEnabled = false }

// release returns the release with the ID so that tests can change it.
func (tp *testProject) release(id int64) *models.Release {
	for _, r := range tp.state.Releases {
		if r.ID == id {
			return r
		}
	}
	panic("no such release")
}

// remove deletes a release as the store does.
func (tp *testProject) remove(id int64) {
	deleted := tp.clock
	tp.release(id).DeletedAt = &deleted
}

func (tp *testProject) snapshot(t testing.TB) *Snapshot {
	t.Helper()
	s, err := NewSnapshot(tp.copy(), testBaseURL)
	require.NoError(t, err)
	return s
}

func (tp *testProject) uuid(id int64) string { return tp.release(id).UpdateUUID.String() }

// ask returns a request of a stock client on production.
func ask(deviceID string) Request {
	return Request{
		Channel: "production", Platform: models.Android, RuntimeVersion: testRuntime,
		DeviceID: deviceID, Protocol: 1, Accept: ParseAccept(stockAccept),
	}
}
