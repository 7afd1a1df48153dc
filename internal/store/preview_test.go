package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/internal/preview"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

const (
	previewRounds = 63
	// changesBetween is how many random operations come before each preview.
	changesBetween = 4
	previewDevices = 60
)

// previewed is a call that can be previewed.
type previewed struct {
	name string
	// call picks the records that the call is about: mostly such that it succeeds.
	call func(o *operator, w observer) func(ctx context.Context, actor models.Actor) error
}

// mostly is an id that a query finds, and now and then any of a kind.
func (o *operator) mostly(w observer, kind, sql string, args ...any) int64 {
	found := w.lines(sql, args...)
	if len(found) == 0 || o.IntN(5) == 0 {
		return o.some(kind)
	}
	id, err := strconv.ParseInt(found[o.IntN(len(found))], 10, 64)
	require.NoError(w.f.t, err)
	return id
}

// rollout is mostly an open one of some statuses.
func (o *operator) rollout(w observer, statuses ...string) int64 {
	return o.mostly(w, "execution", "SELECT id::text FROM rollout_executions WHERE status = ANY($1) ORDER BY id DESC LIMIT 4", statuses)
}

func previewedCommand(c models.RolloutCommand, statuses ...string) previewed {
	return previewed{string(c), func(o *operator, w observer) func(context.Context, models.Actor) error {
		id, in := o.rollout(w, statuses...), models.CommandInput{Revert: o.bool()}
		return func(ctx context.Context, actor models.Actor) error {
			in.Actor = actor
			subject, err := o.Store.RolloutSubject(ctx, o.project.ID, id)
			if err != nil {
				return err
			}
			return (&workflows.Client{}).Rehearse(subject, c, in, time.Now().UTC(), o.Store.applyIn(ctx))
		}
	}}
}

func previewedRollback(scope models.ExecutionRollbackScope) previewed {
	return previewed{"roll back, " + string(scope), func(o *operator, w observer) func(context.Context, models.Actor) error {
		id, r := o.rollout(w, "running", "paused"), models.ExecutionRollback{Scope: scope}
		if scope == models.RollbackFlag {
			r.FlagID = new(o.mostly(w, "flag", `SELECT flag_id::text FROM release_flags l JOIN rollout_executions e ON e.update_id = l.release_id
				WHERE e.id = $1`, id))
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.RollBackExecution(ctx, o.project.ID, actor, id, r)
			return err
		}
	}}
}

var previewedCalls = []previewed{
	previewedCommand(models.CommandPause, "running"), previewedCommand(models.CommandResume, "paused"),
	previewedCommand(models.CommandAdvance, "running", "paused"), previewedCommand(models.CommandCancel, "running", "paused"),
	previewedRollback(models.RollbackFlag), previewedRollback(models.RollbackRelease), previewedRollback(models.RollbackChannel),
	{"roll back", func(o *operator, w observer) func(context.Context, models.Actor) error {
		n := models.Rollback{
			Channel: []string{"production", "a"}[o.IntN(2)], RuntimeVersion: "1.0.0",
			Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)],
		}
		if o.bool() {
			n.ToUpdateID = new(o.mostly(w, "release", `SELECT r.id::text FROM releases r JOIN channels c ON c.branch_id = r.branch_id
				WHERE c.name = $1 AND r.platform = $2 AND r.kind = 'update' AND r.deleted_at IS NULL`, n.Channel, string(n.Platform)))
		}
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.Rollback(ctx, o.project.ID, actor, n)
			return err
		}
	}},
	{"channel", func(o *operator, _ observer) func(context.Context, models.Actor) error {
		name := []string{"production", "a", "b", "d"}[o.IntN(4)]
		patch := []models.ChannelPatch{
			{BranchName: new(o.name())}, {IsPaused: new(o.bool())}, {MinRuntimeVersion: mayClear(o, "1.5.0")},
			{
				RolloutBranchName: models.Nullable[string]{Set: true, Value: new("b")},
				RolloutPercentage: models.Nullable[float64]{Set: true, Value: new(o.share())},
			},
			{RolloutBranchName: mayClear(o, o.name()), RolloutPercentage: mayClear(o, o.share())},
		}[o.IntN(5)]
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.UpdateChannel(ctx, o.project.ID, actor, name, patch)
			return err
		}
	}},
}

func (f *fixture) applyIn(ctx context.Context) workflows.Apply {
	return func(c models.ExecutionChange) (models.RolloutExecution, error) { return f.ApplyExecutionChange(ctx, c) }
}

func (f *fixture) followSuperseded(ctx context.Context, subject models.RolloutSubject, told models.RolloutSuperseded) error {
	return (&workflows.Client{}).RehearseSuperseded(subject, told.ByReleaseID, time.Now().UTC(), f.applyIn(ctx))
}

// TestPreviewsSayWhatThenHappens previews random calls in random states and then makes them: what happens to releases, rollouts,
// linked flags and devices is what was said, a call that fails was refused alike, and a preview leaves nothing behind.
func TestPreviewsSayWhatThenHappens(t *testing.T) {
	t.Parallel()
	f := setup(t)
	seed := uint64(time.Now().UnixNano())
	o := &operator{
		Store: f, ctx: t.Context(), Rand: rand.New(rand.NewPCG(seed, 1)), project: f.project, tally: map[string]int{},
		known: &records{ids: map[string][]int64{}, owners: map[int64]int64{}},
	}
	o.prepare()
	w := f.observe()
	changed := map[string]int{}
	for round := range previewRounds {
		c := previewedCalls[round%len(previewedCalls)]
		o.wander(w, round)
		call := c.call(o, w)
		about := fmt.Sprintf("%s in round %d, seed %d", c.name, round, seed)

		before := w.everything()
		w.notified()
		asked := func(ctx context.Context) error { return call(ctx, viewerActor) }
		said, refused := f.Preview(t.Context(), f.project.ID, asked, f.followSuperseded)
		require.Equal(t, before, w.everything(), about)
		require.Empty(t, w.notified(), about)

		facts := w.facts()
		err := call(t.Context(), alice)
		if err != nil || refused != nil {
			require.Equal(t, models.CodeOf(err), models.CodeOf(refused), about)
			require.EqualError(t, refused, err.Error(), about)
			continue
		}
		require.NoError(t, o.follow(w), about)
		d := preview.DifferenceOf(said.Before, said.After)
		after := w.facts()
		require.Equal(t, after.since(facts), saidOf(d), about)
		if len(d.Releases)+len(d.Executions)+len(d.Flags) > 0 || len(preview.QueryOf(said).Channels) > 0 {
			changed[c.name]++
		}
		devices := w.devices(o)
		affected, err := preview.Affected(said, d, models.SeenDevices{Total: int64(len(devices)), List: devices})
		require.NoError(t, err)
		require.EqualValues(t, facts.moved(after, devices), affected, about)
		if affected > 0 {
			changed["devices"]++
			query := preview.QueryOf(said)
			require.NotEmpty(t, query.Channels, about)
		}
	}
	for _, c := range previewedCalls {
		require.Positive(t, changed[c.name], "no preview of %s changed anything, so it proves nothing; seed %d, %v", c.name, seed, changed)
	}
	require.Positive(t, changed["devices"], seed)
}

// viewerActor previews what alice then does.
var viewerActor = models.Actor{Type: models.ActorAPIKey, ID: "9", Name: "viewer", Role: models.RoleViewer}

// prepare makes the records that random operations are about.
func (o *operator) prepare() {
	f := o.Store
	f.t.Helper()
	for _, name := range []string{"a", "b", "c"} {
		_, err := f.CreateChannel(o.ctx, f.project.ID, alice, models.NewChannel{Name: name, BranchName: name})
		require.NoError(f.t, err)
	}
	for range 3 {
		o.learn("policy", f.policy().ID)
		o.learn("flag", f.flag(o.name()+uuid.NewString()[:8], boolean).ID)
		o.learn("build", f.build(uuid.NewString()).ID)
		o.learn("build", f.buildFor(models.Android, uuid.NewString()).ID)
	}
}

// wander brings the project into another state.
func (o *operator) wander(w observer, round int) {
	f := o.Store
	f.t.Helper()
	names := []string{
		"update channel", "publish", "patch release", "start rollout", "step of a rollout", "republish", "roll back", "delete release",
	}
	var usual []operation
	for _, op := range operations {
		if slices.Contains(names, op.name) {
			usual = append(usual, op)
		}
	}
	for range changesBetween {
		require.NoError(f.t, o.operate(usual))
	}
	// There is always an open rollout, of a release that links a flag.
	own := func(kind string) int64 { return o.known.pick(kind+o.project.Slug, o.Rand) }
	flag, policy := own("flag"), own("policy")
	r, err := f.Publish(o.ctx, f.project.ID, alice, models.Publish{
		BuildID: own("build"), Channel: []string{"production", "a"}[o.IntN(2)], RolloutPolicyID: &policy,
		LinkedFlags: []models.FlagLink{{FlagID: flag, Enabled: true}},
	})
	require.NoError(f.t, err)
	o.learn("release", r.ID)
	o.learn("execution", *r.RolloutExecutionID)
	if command := []models.RolloutCommand{models.CommandAdvance, models.CommandPause, ""}[round%len(previewedCalls)%3]; command != "" {
		subject, err := f.RolloutSubject(o.ctx, f.project.ID, *r.RolloutExecutionID)
		require.NoError(f.t, err)
		in := models.CommandInput{Actor: alice}
		require.NoError(f.t, (&workflows.Client{}).Rehearse(subject, command, in, time.Now().UTC(), f.applyIn(o.ctx)))
	}
	require.NoError(f.t, o.follow(w))
}

// follow makes the changes of the workflows that the outbox tells of a newer release.
func (o *operator) follow(w observer) error {
	f := o.Store
	for _, payload := range w.lines("SELECT payload::text FROM outbox WHERE kind = $1 ORDER BY id", string(models.OutboxRolloutSuperseded)) {
		var told models.RolloutSuperseded
		if err := json.Unmarshal([]byte(payload), &told); err != nil {
			return err
		}
		id, err := f.ExecutionID(o.ctx, f.project.ID, told.WorkflowID)
		if err != nil {
			return err
		}
		subject, err := f.RolloutSubject(o.ctx, f.project.ID, id)
		if err != nil {
			return err
		}
		if !subject.Execution.Status.Open() {
			continue
		}
		if err := f.followSuperseded(o.ctx, subject, told); err != nil {
			return err
		}
	}
	return nil
}

// observer reads the tables over one connection.
type observer struct {
	f    *fixture
	conn *pgx.Conn
	// hashes is the query of everything.
	hashes string
}

func (f *fixture) observe() observer {
	f.t.Helper()
	w := observer{f: f, conn: f.conn()}
	var hashes []string
	for _, table := range w.lines(`SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`) {
		hashes = append(hashes, fmt.Sprintf("SELECT '%s ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM %s t",
			table, pgx.Identifier{table}.Sanitize()))
	}
	w.hashes = strings.Join(hashes, " UNION ALL ") + " ORDER BY 1"
	for _, channel := range []string{
		models.NotifySnapshot, models.NotifyOutbox, models.NotifyExecution, models.NotifyRolloutPrompt, "the_end",
	} {
		_, err := w.conn.Exec(f.t.Context(), "LISTEN "+pgx.Identifier{channel}.Sanitize())
		require.NoError(f.t, err)
	}
	return w
}

func (w observer) lines(sql string, args ...any) []string {
	w.f.t.Helper()
	rows, err := w.conn.Query(w.f.t.Context(), sql, args...)
	require.NoError(w.f.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.f.t, err)
	return lines
}

// everything is a hash of the rows of every table.
func (w observer) everything() []string {
	w.f.t.Helper()
	return w.lines(w.hashes)
}

// notified returns what Postgres notified since the last call.
func (w observer) notified() (channels []string) {
	w.f.t.Helper()
	_, err := w.conn.Exec(w.f.t.Context(), "SELECT pg_notify('the_end', '')")
	require.NoError(w.f.t, err)
	for {
		n, err := w.conn.WaitForNotification(w.f.t.Context())
		require.NoError(w.f.t, err)
		if n.Channel == "the_end" {
			return channels
		}
		channels = append(channels, n.Channel)
	}
}

// facts are what previews are about, read from the tables.
type facts struct {
	releases, executions, flags map[string]string
	served                      *delivery.Snapshot
	linked                      map[string]string
}

func (w observer) facts() facts {
	f := w.f
	f.t.Helper()
	read := func(sql string) map[string]string {
		found := map[string]string{}
		for _, line := range w.lines(sql) {
			key, value, _ := strings.Cut(line, "=")
			found[key] = value
		}
		return found
	}
	state, err := f.Snapshot(f.t.Context(), f.project.ID)
	require.NoError(f.t, err)
	served, err := delivery.NewSnapshot(state, "http://waft.test")
	require.NoError(f.t, err)
	const flags = " FROM release_flags l JOIN releases r ON r.id = l.release_id WHERE r.is_enabled AND r.deleted_at IS NULL"
	return facts{
		releases: read("SELECT id || '=' || is_enabled || ' ' || rollout_percentage::float8 FROM releases"),
		executions: read(`SELECT id || '=' || status || ' ' || stage_index || ' ' || percentage::float8 || ' ' || coalesce(counts_since::text, '')
			FROM rollout_executions`),
		flags: read("SELECT r.id || '/' || l.flag_id || '=' || l.enabled" + flags),
		linked: read("SELECT r.update_uuid || '=' || string_agg(l.flag_id::text || l.enabled, ' ' ORDER BY l.flag_id)" + flags +
			" GROUP BY r.update_uuid"),
		served: served,
	}
}

// said is what changed, with 0 for the ids of new releases.
type said struct{ releases, executions, flags []string }

// since is what is different from before.
func (f facts) since(before facts) (s said) {
	isNew := func(id string) bool { _, ok := before.releases[id]; return !ok }
	for id, is := range f.releases {
		was := before.releases[id]
		if was == is {
			continue
		}
		if isNew(id) {
			id = "0"
		}
		s.releases = append(s.releases, fmt.Sprintf("%s: %s -> %s", id, was, is))
	}
	for id, is := range f.executions {
		if was := before.executions[id]; was != is {
			s.executions = append(s.executions, fmt.Sprintf("%s: %s -> %s", id, withoutTime(was), withoutTime(is)))
		}
	}
	for key := range mergedKeys(before.flags, f.flags) {
		if was, is := before.flags[key], f.flags[key]; was != is {
			if release, flag, _ := strings.Cut(key, "/"); isNew(release) {
				key = "0/" + flag
			}
			s.flags = append(s.flags, fmt.Sprintf("%s: %s -> %s", key, was, is))
		}
	}
	return s.sorted()
}

func (s said) sorted() said {
	slices.Sort(s.releases)
	slices.Sort(s.executions)
	slices.Sort(s.flags)
	return s
}

// withoutTime leaves out when counts began.
func withoutTime(state string) string {
	parts := strings.SplitN(state, " ", 4)
	return strings.Join(parts[:3], " ")
}

func mergedKeys(a, b map[string]string) map[string]bool {
	keys := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			keys[key] = true
		}
	}
	return keys
}

// saidOf writes a difference as facts.since does.
func saidOf(d preview.Difference) (s said) {
	release := func(r *preview.ReleaseState) string {
		if r == nil {
			return ""
		}
		return fmt.Sprintf("%v %v", r.IsEnabled, r.RolloutPercentage)
	}
	link := func(l *models.LinkedFlag) string {
		if l == nil {
			return ""
		}
		return fmt.Sprint(l.Enabled)
	}
	execution := func(e preview.ExecutionState) string {
		return fmt.Sprintf("%s %d %v", e.Status, e.StageIndex, e.Percentage)
	}
	for _, r := range d.Releases {
		id := r.ID
		if r.Published {
			id = 0
		}
		s.releases = append(s.releases, fmt.Sprintf("%d: %s -> %s", id, release(r.Before), release(r.After)))
	}
	for _, e := range d.Executions {
		s.executions = append(s.executions, fmt.Sprintf("%d: %s -> %s", e.ID, execution(e.Before), execution(e.After)))
	}
	for _, f := range d.Flags {
		s.flags = append(s.flags, fmt.Sprintf("%d/%d: %s -> %s", f.UpdateID, f.FlagID, link(f.Before), link(f.After)))
	}
	return s.sorted()
}

// devices are some of any channel, which run anything.
func (w observer) devices(o *operator) (devices []models.SeenDevice) {
	updates := append(w.lines("SELECT update_uuid::text FROM releases ORDER BY id DESC LIMIT 12"), "", "")
	for range previewDevices {
		devices = append(devices, models.SeenDevice{
			DeviceID: uuid.NewString(), UpdateUUID: updates[o.IntN(len(updates))],
			Stream: models.Stream{
				Channel: o.name(), Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)], RuntimeVersion: "1.0.0",
			},
		})
	}
	return devices
}

// moved counts the devices that are told something else afterwards, by what devices are really served.
func (f facts) moved(after facts, devices []models.SeenDevice) (n int) {
	const embedded = "00000000-0000-0000-0000-00000000e3be"
	for _, d := range devices {
		told := func(s *delivery.Snapshot) string {
			r := delivery.Request{
				Channel: d.Channel, Platform: d.Platform, RuntimeVersion: d.RuntimeVersion, DeviceID: d.DeviceID,
				CurrentUpdateUUID: d.UpdateUUID, EmbeddedUpdateUUID: embedded,
			}
			if d.UpdateUUID == "" {
				r.CurrentUpdateUUID = embedded
			}
			switch decided := s.Resolve(r); decided.Outcome {
			case delivery.OutcomeUpdate:
				return fmt.Sprint(decided.ReleaseID)
			case delivery.OutcomeRollbackToEmbedded, delivery.OutcomeStoreUpdateRequired:
				return string(decided.Outcome)
			default:
				return ""
			}
		}
		if told(f.served) != told(after.served) || f.linked[d.UpdateUUID] != after.linked[d.UpdateUUID] {
			n++
		}
	}
	return n
}
