package storetest

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
	"github.com/waft-ota/waft/models"
)

// Alice is the actor that makes the changes of tests.
var Alice = models.Actor{Type: models.ActorAPIKey, ID: "7", Name: "alice's key", RequestID: "req-1"}

// Fixture is a project in a database of its own.
type Fixture struct {
	*store.Store
	T           testing.TB
	DatabaseURL string
	Demo        models.Project
}

// Setup creates a fixture.
func Setup(t testing.TB, options ...store.Option) *Fixture {
	t.Helper()
	databaseURL := Database(t)
	f := &Fixture{Store: Open(t, databaseURL, options...), T: t, DatabaseURL: databaseURL}
	f.Demo = f.NewProject("demo")
	return f
}

// NewProject creates another project.
func (f *Fixture) NewProject(slug string) models.Project {
	f.T.Helper()
	p, err := f.CreateProject(f.T.Context(), Alice, models.NewProject{Name: "The " + slug, Slug: slug})
	require.NoError(f.T, err)
	return p
}

// Version returns the project's snapshot version.
func (f *Fixture) Version() int64 {
	f.T.Helper()
	versions, err := f.SnapshotVersions(f.T.Context())
	require.NoError(f.T, err)
	return versions[f.Demo.ID]
}

// RequireBumped checks whether change gives the project a new snapshot version.
func (f *Fixture) RequireBumped(bumped bool, change func()) {
	f.T.Helper()
	before := f.Version()
	change()
	require.Equal(f.T, bumped, f.Version() > before, "whether the snapshot version changes")
}

// Conn returns a plain connection to the fixture's database.
func (f *Fixture) Conn() *pgx.Conn {
	f.T.Helper()
	conn, err := pgx.Connect(f.T.Context(), f.DatabaseURL)
	require.NoError(f.T, err)
	f.T.Cleanup(func() { conn.Close(context.WithoutCancel(f.T.Context())) })
	return conn
}

// MustExec runs a statement on a plain connection.
func (f *Fixture) MustExec(sql string, args ...any) {
	f.T.Helper()
	_, err := f.Conn().Exec(f.T.Context(), sql, args...)
	require.NoError(f.T, err)
}

// Query returns the first column of every row that a query finds.
func Query[T any](f *Fixture, sql string, args ...any) []T {
	f.T.Helper()
	rows, err := f.Conn().Query(f.T.Context(), sql, args...)
	require.NoError(f.T, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(f.T, err)
	return values
}

// Outbox returns the payloads of the waiting outbox messages of a kind, as JSON.
func (f *Fixture) Outbox(kind models.OutboxKind) []string {
	f.T.Helper()
	return Query[string](f, "SELECT payload::text FROM outbox WHERE kind = $1 ORDER BY id", string(kind))
}

// Audited returns the newest n audit entries, oldest first.
func (f *Fixture) Audited(n int) []models.AuditEntry {
	f.T.Helper()
	entries, err := f.ListAudit(f.T.Context(), f.Demo.ID, models.AuditFilter{}, models.Page{Limit: n})
	require.NoError(f.T, err)
	require.Len(f.T, entries, n)
	slices.Reverse(entries)
	return entries
}

// NewBuild returns a build of two files. Its launch asset has the given content.
func NewBuild(platform models.Platform, content string) models.NewBuild {
	launch := Asset("bundle.js", content, 100)
	launch.IsLaunchAsset = true
	return models.NewBuild{
		Platform: platform, RuntimeVersion: "1.0.0", Message: "built " + content, GitCommitHash: "c0ffee", GitBranch: "main",
		ClientConfig: []byte(`{"name": "app"}`), Assets: []models.BuildAsset{Asset("assets/logo.png", "logo", 20), launch},
	}
}

// Asset returns a file whose hashes have the right form and depend on its content.
func Asset(path, content string, size int64) models.BuildAsset {
	id := uuid.NewSHA1(uuid.Nil, []byte(content))
	md5 := hex.EncodeToString(id[:])
	sum := sha256.Sum256([]byte(content))
	return models.BuildAsset{
		Path: path, MD5: md5, SHA256: base64.RawURLEncoding.EncodeToString(sum[:]),
		ContentType: "application/javascript", FileExtension: ".js", SizeBytes: size,
	}
}

// MustBuild creates a build for iOS whose launch asset has the given content.
func (f *Fixture) MustBuild(content string) models.Build {
	f.T.Helper()
	return f.MustBuildFor(models.IOS, content)
}

// MustBuildFor creates a build like MustBuild for the given platform.
func (f *Fixture) MustBuildFor(platform models.Platform, content string) models.Build {
	f.T.Helper()
	b, err := f.CreateBuild(f.T.Context(), f.Demo.ID, Alice, NewBuild(platform, content))
	require.NoError(f.T, err)
	return b
}

// MustPublish publishes a new build to production. change may alter the request.
func (f *Fixture) MustPublish(change ...func(*models.Publish)) models.Release {
	f.T.Helper()
	p := models.Publish{BuildID: f.MustBuild(uuid.NewString()).ID, Channel: "production"}
	for _, c := range change {
		c(&p)
	}
	r, err := f.Publish(f.T.Context(), f.Demo.ID, Alice, p)
	require.NoError(f.T, err)
	return r
}

// Share returns a change for MustPublish that sets the rollout percentage.
func Share(percentage float64) func(*models.Publish) {
	return func(p *models.Publish) { p.RolloutPercentage = &percentage }
}

// Disabled changes a publish so that the release is disabled.
func Disabled(p *models.Publish) { p.IsEnabled = new(bool) }

// WithPolicy returns a change for MustPublish that adds a rollout under the policy.
func WithPolicy(id int64) func(*models.Publish) {
	return func(p *models.Publish) { p.RolloutPolicyID = &id }
}

// NewPolicy returns a policy with three stages and a threshold.
func NewPolicy() models.NewRolloutPolicy {
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

// MustPolicy creates the policy of NewPolicy. change may alter it.
func (f *Fixture) MustPolicy(change ...func(*models.NewRolloutPolicy)) models.RolloutPolicy {
	f.T.Helper()
	n := NewPolicy()
	for _, c := range change {
		c(&n)
	}
	p, err := f.CreatePolicy(f.T.Context(), f.Demo.ID, Alice, n)
	require.NoError(f.T, err)
	return p
}

// MustRelease returns a release.
func (f *Fixture) MustRelease(id int64) models.Release {
	f.T.Helper()
	r, err := f.Release(f.T.Context(), f.Demo.ID, id)
	require.NoError(f.T, err)
	return r
}

// MustPatch changes a release.
func (f *Fixture) MustPatch(id int64, patch models.ReleasePatch) models.Release {
	f.T.Helper()
	r, err := f.UpdateRelease(f.T.Context(), f.Demo.ID, Alice, id, patch)
	require.NoError(f.T, err)
	return r
}

// MustRollOut publishes a release with a policy and returns it with its rollout.
func (f *Fixture) MustRollOut(change ...func(*models.Publish)) (models.Release, models.RolloutExecution) {
	f.T.Helper()
	r := f.MustPublish(append(change, WithPolicy(f.MustPolicy().ID))...)
	require.NotNil(f.T, r.RolloutExecutionID)
	return r, f.MustExecution(*r.RolloutExecutionID)
}

// MustExecution returns a rollout.
func (f *Fixture) MustExecution(id int64) models.RolloutExecution {
	f.T.Helper()
	e, err := f.Execution(f.T.Context(), f.Demo.ID, id)
	require.NoError(f.T, err)
	return e
}

// Next returns the step that follows the last step of e and keeps everything as it is.
func Next(e models.RolloutExecution) models.ExecutionChange {
	return models.ExecutionChange{
		ProjectID: e.ProjectID, ExecutionID: e.ID, Seq: e.Version + 1, Status: e.Status, StageIndex: e.StageIndex,
		WaitingFor: e.WaitingFor, Reason: e.Reason, Percentage: e.Percentage, StageStartedAt: e.StageStartedAt,
		PausedAt: e.PausedAt, EndedAt: e.EndedAt, Progress: e.Progress, RunID: e.RunID, CountsSince: e.CountsSince,
		Actor: models.SystemActor("rollout"),
	}
}

// MustApply applies a step of a rollout.
func (f *Fixture) MustApply(c models.ExecutionChange) models.RolloutExecution {
	f.T.Helper()
	e, err := f.ApplyExecutionChange(f.T.Context(), c)
	require.NoError(f.T, err)
	return e
}

// MustReach sets the rollout percentage of e's release by a step of the rollout.
func (f *Fixture) MustReach(e models.RolloutExecution, percentage float64) models.RolloutExecution {
	f.T.Helper()
	c := Next(e)
	c.Percentage = percentage
	return f.MustApply(c)
}

// RequireCode checks the code of an error.
func RequireCode(t testing.TB, code models.ErrorCode, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, models.CodeOf(err), "%v", err)
}

// RequireField checks that err refuses exactly one input field.
func RequireField(t testing.TB, field string, err error) {
	t.Helper()
	RequireCode(t, models.CodeInvalid, err)
	var domain *models.Error
	require.ErrorAs(t, err, &domain)
	require.Len(t, domain.Fields, 1)
	require.Equal(t, field, domain.Fields[0].Field)
}

// StoppedClock returns a time and an option that makes a store's clock always show that time.
func StoppedClock() (now time.Time, option store.Option) {
	now = time.Date(2026, 3, 4, 5, 6, 7, int(89*time.Millisecond), time.UTC)
	return now, store.WithNow(func() time.Time { return now })
}
