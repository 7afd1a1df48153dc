package store_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// observer reads the tables over one connection.
type observer struct {
	f    *storetest.Fixture
	conn *pgx.Conn
	// hashes is a query that hashes the rows of every table.
	hashes string
}

func observe(f *storetest.Fixture) observer {
	f.T.Helper()
	w := observer{f: f, conn: f.Conn()}
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
		_, err := w.conn.Exec(f.T.Context(), "LISTEN "+pgx.Identifier{channel}.Sanitize())
		require.NoError(f.T, err)
	}
	return w
}

func (w observer) lines(sql string, args ...any) []string {
	w.f.T.Helper()
	rows, err := w.conn.Query(w.f.T.Context(), sql, args...)
	require.NoError(w.f.T, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.f.T, err)
	return lines
}

// pinShares replaces random group IDs, recognizable by UUID version 4, and the salts derived from them. So the seed
// alone determines which devices are inside a rollout.
func (w observer) pinShares() {
	w.f.T.Helper()
	w.lines(`WITH random AS (SELECT group_id AS id, md5(min(id)::text)::uuid AS pinned FROM releases
			WHERE substr(group_id::text, 15, 1) = '4' GROUP BY group_id)
		UPDATE releases SET group_id = coalesce((SELECT pinned FROM random WHERE id = group_id), group_id),
			share_salt = coalesce((SELECT 'release:' || pinned FROM random WHERE 'release:' || id = share_salt), share_salt)
		RETURNING share_salt`)
}

// everything returns a hash of the rows of every table.
func (w observer) everything() []string {
	w.f.T.Helper()
	return w.lines(w.hashes)
}

// notified returns the notifications that Postgres has sent since the last call.
func (w observer) notified() (channels []string) {
	w.f.T.Helper()
	_, err := w.conn.Exec(w.f.T.Context(), "SELECT pg_notify('the_end', '')")
	require.NoError(w.f.T, err)
	for {
		n, err := w.conn.WaitForNotification(w.f.T.Context())
		require.NoError(w.f.T, err)
		if n.Channel == "the_end" {
			return channels
		}
		channels = append(channels, n.Channel)
	}
}

// facts contains everything that previews report on, read from the tables.
type facts struct {
	releases, executions, flags map[string]string
	served                      *delivery.Snapshot
	linked                      map[string]string
}

func (w observer) facts() facts {
	f := w.f
	f.T.Helper()
	read := func(sql string) map[string]string {
		found := map[string]string{}
		for _, line := range w.lines(sql) {
			key, value, _ := strings.Cut(line, "=")
			found[key] = value
		}
		return found
	}
	state, err := f.Snapshot(f.T.Context(), f.Demo.ID)
	require.NoError(f.T, err)
	served, err := delivery.NewSnapshot(state, "http://waft.test")
	require.NoError(f.T, err)
	const flags = " FROM release_flags l JOIN releases r ON r.id = l.release_id WHERE r.is_enabled AND r.deleted_at IS NULL"
	return facts{
		releases: read("SELECT id || '=' || is_enabled || ' ' || rollout_percentage::float8 || ' ' || is_critical FROM releases WHERE deleted_at IS NULL"),
		executions: read(`SELECT id || '=' || status || ' ' || stage_index || ' ' || percentage::float8 || ' ' || coalesce(counts_since::text, '')
			FROM rollout_executions`),
		flags: read("SELECT r.id || '/' || l.flag_id || '=' || l.enabled" + flags),
		linked: read("SELECT r.update_uuid || '=' || string_agg(l.flag_id::text || l.enabled, ' ' ORDER BY l.flag_id)" + flags +
			" GROUP BY r.update_uuid"),
		served: served,
	}
}

// said describes changes. The IDs of new releases are 0.
type said struct{ releases, executions, flags []string }

// since returns the changes compared with before.
func (f facts) since(before facts) (s said) {
	isNew := func(id string) bool { _, ok := before.releases[id]; return !ok }
	for id := range mergedKeys(before.releases, f.releases) {
		was, is := before.releases[id], f.releases[id]
		if was == is {
			continue
		}
		if isNew(id) {
			id = "0"
		}
		s.releases = append(s.releases, fmt.Sprintf("%s: %s -> %s", id, was, is))
	}
	for id, is := range f.executions {
		was, known := before.executions[id]
		if !known {
			id, was = "0", " 0 0" // a rollout that was started
		}
		if was != is {
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

// withoutTime removes the time from which reports count.
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

// saidOf returns a preview's difference in the same form as facts.since.
func saidOf(d preview.Difference) (s said) {
	release := func(r *preview.ReleaseState) string {
		if r == nil {
			return ""
		}
		return fmt.Sprintf("%v %v %v", r.IsEnabled, r.RolloutPercentage, r.IsCritical)
	}
	link := func(l *models.LinkedFlag) string {
		if l == nil {
			return ""
		}
		return strconv.FormatBool(l.Enabled)
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
		id := e.ID
		if e.Started {
			id = 0
		}
		s.executions = append(s.executions, fmt.Sprintf("%d: %s -> %s", id, execution(e.Before), execution(e.After)))
	}
	for _, f := range d.Flags {
		s.flags = append(s.flags, fmt.Sprintf("%d/%d: %s -> %s", f.UpdateID, f.FlagID, link(f.Before), link(f.After)))
	}
	return s.sorted()
}

// devices returns some devices of any channel, which run any release.
func (w observer) devices(o *operator) (devices []models.SeenDevice) {
	updates := append(w.lines("SELECT update_uuid::text FROM releases ORDER BY id DESC LIMIT 12"), "", "")
	for range previewDevices {
		devices = append(devices, models.SeenDevice{
			DeviceID: o.word(), UpdateUUID: updates[o.IntN(len(updates))],
			Stream: models.Stream{
				Channel: o.name(), Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)], RuntimeVersion: "1.0.0",
			},
		})
	}
	return devices
}

// seenBy returns the devices that a query asks for.
func seenBy(q models.PreviewQuery, devices []models.SeenDevice) (seen []models.SeenDevice) {
	for _, d := range devices {
		ofStream := len(q.Streams) == 0 || slices.Contains(q.Streams, models.Stream{Platform: d.Platform, RuntimeVersion: d.RuntimeVersion})
		if slices.Contains(q.Channels, d.Channel) && ofStream || slices.Contains(q.Updates, d.UpdateUUID) {
			seen = append(seen, d)
		}
	}
	return seen
}

// moved returns the number of devices that get a different result afterwards, based on what they are really served.
func (f facts) moved(after facts, devices []models.SeenDevice) (n int) {
	const embedded = "00000000-0000-0000-0000-00000000e3be"
	for _, d := range devices {
		told := func(f facts) string {
			r := delivery.Request{
				Channel: d.Channel, Platform: d.Platform, RuntimeVersion: d.RuntimeVersion, DeviceID: d.DeviceID,
				CurrentUpdateUUID: d.UpdateUUID, EmbeddedUpdateUUID: embedded,
			}
			if d.UpdateUUID == "" {
				r.CurrentUpdateUUID = embedded
			}
			switch decided := f.served.Resolve(r); decided.Outcome {
			case delivery.OutcomeUpdate:
				id := strconv.FormatInt(decided.ReleaseID, 10)
				return id + strconv.FormatBool(strings.HasSuffix(f.releases[id], " true")) // whether it is critical
			case delivery.OutcomeRollbackToEmbedded, delivery.OutcomeStoreUpdateRequired:
				return string(decided.Outcome)
			default:
				return ""
			}
		}
		if told(f) != told(after) || f.linked[d.UpdateUUID] != after.linked[d.UpdateUUID] {
			n++
		}
	}
	return n
}
