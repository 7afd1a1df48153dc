package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var alice = models.Actor{Type: models.ActorAPIKey, ID: "7", Name: "alice's key", RequestID: "req-1"}

// fixture is a project in a database of its own.
type fixture struct {
	*store.Store
	t           testing.TB
	databaseURL string
	project     models.Project
}

func setup(t testing.TB, options ...store.Option) *fixture {
	t.Helper()
	databaseURL := storetest.Database(t)
	f := &fixture{Store: storetest.Open(t, databaseURL, options...), t: t, databaseURL: databaseURL}
	f.project = f.newProject("demo")
	return f
}

func (f *fixture) newProject(slug string) models.Project {
	f.t.Helper()
	p, err := f.CreateProject(f.t.Context(), alice, models.NewProject{Name: "The " + slug, Slug: slug})
	require.NoError(f.t, err)
	return p
}

// version is the project's snapshot version.
func (f *fixture) version() int64 {
	f.t.Helper()
	versions, err := f.SnapshotVersions(f.t.Context())
	require.NoError(f.t, err)
	return versions[f.project.ID]
}

// requireBumped checks that change gave the project a new snapshot version, or
// that it did not.
func (f *fixture) requireBumped(bumped bool, change func()) {
	f.t.Helper()
	before := f.version()
	change()
	require.Equal(f.t, bumped, f.version() > before, "whether devices are served anew")
}

// conn is a plain connection to the fixture's database.
func (f *fixture) conn() *pgx.Conn {
	f.t.Helper()
	conn, err := pgx.Connect(f.t.Context(), f.databaseURL)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { conn.Close(context.WithoutCancel(f.t.Context())) })
	return conn
}

func (f *fixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.conn().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

// query reads one column of every row.
func query[T any](f *fixture, sql string, args ...any) []T {
	f.t.Helper()
	rows, err := f.conn().Query(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(f.t, err)
	return values
}

// outbox is the payloads of the waiting messages of a kind, as JSON.
func (f *fixture) outbox(kind models.OutboxKind) []string {
	f.t.Helper()
	return query[string](f, "SELECT payload::text FROM outbox WHERE kind = $1 ORDER BY id", string(kind))
}

// audited are the newest n audit entries, oldest first.
func (f *fixture) audited(n int) []models.AuditEntry {
	f.t.Helper()
	entries, err := f.ListAudit(f.t.Context(), f.project.ID, models.AuditFilter{}, models.Page{Limit: n})
	require.NoError(f.t, err)
	require.Len(f.t, entries, n)
	slices.Reverse(entries)
	return entries
}

// newBuild is a build of two files, whose launch asset holds the given content.
func newBuild(platform models.Platform, content string) models.NewBuild {
	launch := asset("bundle.js", content, 100)
	launch.IsLaunchAsset = true
	return models.NewBuild{
		Platform: platform, RuntimeVersion: "1.0.0", Message: "built " + content, GitCommitHash: "c0ffee", GitBranch: "main",
		ClientConfig: []byte(`{"name": "app"}`), Assets: []models.BuildAsset{asset("assets/logo.png", "logo", 20), launch},
	}
}

// asset is a file with hashes of the right form, made from its content.
func asset(path, content string, size int64) models.BuildAsset {
	id := uuid.NewSHA1(uuid.Nil, []byte(content))
	md5 := hex.EncodeToString(id[:])
	sum := sha256.Sum256([]byte(content))
	return models.BuildAsset{
		Path: path, MD5: md5, SHA256: base64.RawURLEncoding.EncodeToString(sum[:]),
		ContentType: "application/javascript", FileExtension: ".js", SizeBytes: size,
	}
}

func (f *fixture) build(content string) models.Build {
	f.t.Helper()
	return f.buildFor(models.IOS, content)
}

func (f *fixture) buildFor(platform models.Platform, content string) models.Build {
	f.t.Helper()
	b, err := f.CreateBuild(f.t.Context(), f.project.ID, alice, newBuild(platform, content))
	require.NoError(f.t, err)
	return b
}

// publish publishes a new build to production; change may alter the request.
func (f *fixture) publish(change ...func(*models.Publish)) models.Release {
	f.t.Helper()
	p := models.Publish{BuildID: f.build(uuid.NewString()).ID, Channel: "production"}
	for _, c := range change {
		c(&p)
	}
	r, err := f.Publish(f.t.Context(), f.project.ID, alice, p)
	require.NoError(f.t, err)
	return r
}

func share(percentage float64) func(*models.Publish) {
	return func(p *models.Publish) { p.RolloutPercentage = &percentage }
}

func disabled(p *models.Publish) { p.IsEnabled = new(bool) }

func withPolicy(id int64) func(*models.Publish) {
	return func(p *models.Publish) { p.RolloutPolicyID = &id }
}

func newPolicy() models.NewRolloutPolicy {
	limit := 2.0
	return models.NewRolloutPolicy{
		Name: "careful", IsActive: true,
		Stages: []models.Stage{
			{Percentage: 10, MinDevices: 50, MinDurationMinutes: 0.5},
			{Percentage: 50, MinDevices: 500, MinDurationMinutes: 60},
			{Percentage: 100},
		},
		Thresholds: models.Thresholds{CrashRate: &limit},
	}
}

func (f *fixture) policy(change ...func(*models.NewRolloutPolicy)) models.RolloutPolicy {
	f.t.Helper()
	n := newPolicy()
	for _, c := range change {
		c(&n)
	}
	p, err := f.CreatePolicy(f.t.Context(), f.project.ID, alice, n)
	require.NoError(f.t, err)
	return p
}

func (f *fixture) release(id int64) models.Release {
	f.t.Helper()
	r, err := f.Release(f.t.Context(), f.project.ID, id)
	require.NoError(f.t, err)
	return r
}

func (f *fixture) patch(id int64, patch models.ReleasePatch) models.Release {
	f.t.Helper()
	r, err := f.UpdateRelease(f.t.Context(), f.project.ID, alice, id, patch)
	require.NoError(f.t, err)
	return r
}

// rollOut publishes a release with a policy and returns it with its execution.
func (f *fixture) rollOut(change ...func(*models.Publish)) (models.Release, models.RolloutExecution) {
	f.t.Helper()
	r := f.publish(append(change, withPolicy(f.policy().ID))...)
	require.NotNil(f.t, r.RolloutExecutionID)
	return r, f.execution(*r.RolloutExecutionID)
}

func (f *fixture) execution(id int64) models.RolloutExecution {
	f.t.Helper()
	e, err := f.Execution(f.t.Context(), f.project.ID, id)
	require.NoError(f.t, err)
	return e
}

// next is the change after the last one of e, which keeps everything as it is.
func next(e models.RolloutExecution) models.ExecutionChange {
	return models.ExecutionChange{
		ProjectID: e.ProjectID, ExecutionID: e.ID, Seq: e.Version + 1, Status: e.Status, StageIndex: e.StageIndex,
		WaitingFor: e.WaitingFor, Reason: e.Reason, Percentage: e.Percentage, StageStartedAt: e.StageStartedAt,
		PausedAt: e.PausedAt, EndedAt: e.EndedAt, Progress: e.Progress, RunID: e.RunID, CountsSince: e.CountsSince,
		Actor: models.SystemActor("rollout"),
	}
}

func (f *fixture) apply(c models.ExecutionChange) models.RolloutExecution {
	f.t.Helper()
	e, err := f.ApplyExecutionChange(f.t.Context(), c)
	require.NoError(f.t, err)
	return e
}

// reach gives the release of e the share of a stage.
func (f *fixture) reach(e models.RolloutExecution, percentage float64) models.RolloutExecution {
	f.t.Helper()
	c := next(e)
	c.Percentage = percentage
	return f.apply(c)
}

func requireCode(t testing.TB, code models.ErrorCode, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, models.CodeOf(err), "%v", err)
}

// requireField checks that err refuses one input field.
func requireField(t testing.TB, field string, err error) {
	t.Helper()
	requireCode(t, models.CodeInvalid, err)
	var domain *models.Error
	require.ErrorAs(t, err, &domain)
	require.Len(t, domain.Fields, 1)
	require.Equal(t, field, domain.Fields[0].Field)
}

// stoppedClock always shows the same time.
func stoppedClock() (now time.Time, option store.Option) {
	now = time.Date(2026, 3, 4, 5, 6, 7, int(89*time.Millisecond), time.UTC)
	return now, store.WithNow(func() time.Time { return now })
}
