package store_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// noting begins a transaction that writes an audit entry; end commits it or rolls it back.
func (f *fixture) noting(conn *pgx.Conn, note int) (end func(commit bool)) {
	f.t.Helper()
	tx, err := conn.Begin(f.t.Context())
	require.NoError(f.t, err)
	_, err = tx.Exec(f.t.Context(), `INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
		VALUES ($1, 'flag.updated', 'system', '', '', 'flag', $2, '{}', '', now())`, f.project.ID, strconv.Itoa(note))
	require.NoError(f.t, err)
	return func(commit bool) {
		if commit {
			require.NoError(f.t, tx.Commit(f.t.Context()))
		} else {
			require.NoError(f.t, tx.Rollback(f.t.Context()))
		}
	}
}

func (f *fixture) changesAfter(p models.StreamPosition, until string) models.ChangeBatch {
	f.t.Helper()
	batch, err := f.ProjectChanges(f.t.Context(), f.project.ID, p, until, 1000)
	require.NoError(f.t, err)
	require.False(f.t, batch.Reset)
	return batch
}

// Transactions commit in any order. A reader that looks at any moments, and goes on from any of the positions that it
// got, has every change once.
func TestNoChangeIsMissedInWhateverOrderTransactionsCommit(t *testing.T) {
	t.Parallel()
	f := setup(t)
	rng := rand.New(rand.NewPCG(1, 2))
	conns := make([]*pgx.Conn, 6)
	for i := range conns {
		conns[i] = f.conn()
	}
	ends := make([]func(bool), len(conns))
	position, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	var committed, seen []string
	note := 0
	noted := make([]int, len(conns))
	for range 400 {
		if i := rng.IntN(len(conns)); ends[i] == nil {
			note++
			noted[i], ends[i] = note, f.noting(conns[i], note)
		} else {
			commit := rng.IntN(4) > 0
			ends[i](commit)
			ends[i] = nil
			if commit {
				committed = append(committed, strconv.Itoa(noted[i]))
			}
		}
		if rng.IntN(3) > 0 {
			continue
		}
		batch := f.changesAfter(position, "")
		got := batch.Changes
		position = batch.Position
		if len(got) > 0 && rng.IntN(2) == 0 { // the connection breaks after some of them, and another process goes on
			got = got[:1+rng.IntN(len(got))]
			again, ok := models.ParseStreamPosition(got[len(got)-1].Position.String())
			require.True(t, ok)
			position = again
		}
		for _, c := range got {
			seen = append(seen, c.EntityID)
		}
	}
	for i := range ends {
		if ends[i] != nil {
			ends[i](false)
		}
	}
	for _, c := range f.changesAfter(position, "").Changes {
		seen = append(seen, c.EntityID)
	}
	slices.Sort(seen)
	slices.Sort(committed)
	require.Equal(t, committed, seen)
	require.Greater(t, len(seen), 50)
}

func TestProjectChangesEndWhereTheyAreToldTo(t *testing.T) {
	t.Parallel()
	f := setup(t)
	start, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	f.noting(f.conn(), 1)(true)
	middle := f.changesAfter(start, "").Position
	f.noting(f.conn(), 2)(true)
	require.Len(t, f.changesAfter(start, middle.Seen).Changes, 1)
	require.Equal(t, middle, f.changesAfter(start, middle.Seen).Position)
	require.Len(t, f.changesAfter(start, "").Changes, 2)

	other, err := f.ProjectChanges(t.Context(), f.newProject("other").ID, start, middle.Seen, 1000)
	require.NoError(t, err)
	require.Empty(t, other.Changes)
	few, err := f.ProjectChanges(t.Context(), f.project.ID, start, "", 1)
	require.NoError(t, err)
	require.True(t, few.Reset, "there are more")
	require.Empty(t, few.Changes)
	ahead, err := f.ProjectChanges(t.Context(), f.project.ID, models.PositionAt("1:999999999999:"), "", 1)
	require.NoError(t, err)
	require.True(t, ahead.Reset, "the position is of another database")
}

// What shows a rule, a variation or the setting of a channel is its flag.
func TestChangesOfAFlagsPartsNameTheFlag(t *testing.T) {
	t.Parallel()
	f := setup(t)
	start, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	flag := f.flag("checkout")
	f.rule(flag, "green")
	changes := f.changesAfter(start, "").Changes
	require.Len(t, changes, 2)
	for _, c := range changes {
		require.Equal(t, "flags", c.Resource())
		require.Equal(t, flag.ID, c.RecordID())
	}
}
