package projectstore_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// noting begins a transaction that writes an audit entry. end commits it or rolls it back.
func noting(f *storetest.Fixture, conn *pgx.Conn, note int) (end func(commit bool)) {
	f.T.Helper()
	tx, err := conn.Begin(f.T.Context())
	require.NoError(f.T, err)
	_, err = tx.Exec(f.T.Context(),
		`INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
		VALUES ($1, 'flag.updated', 'system', '', '', 'flag', $2, '{}', '', now())`, f.Demo.ID, strconv.Itoa(note))
	require.NoError(f.T, err)
	return func(commit bool) {
		if commit {
			require.NoError(f.T, tx.Commit(f.T.Context()))
		} else {
			require.NoError(f.T, tx.Rollback(f.T.Context()))
		}
	}
}

func changesAfter(f *storetest.Fixture, p models.StreamPosition, until string) models.ChangeBatch {
	f.T.Helper()
	batch, err := f.ProjectChanges(f.T.Context(), f.Demo.ID, p, until, 1000)
	require.NoError(f.T, err)
	require.False(f.T, batch.Reset)
	return batch
}

// Transactions commit in any order. A reader that reads at arbitrary moments, and continues from any of the positions
// that it received, gets every change exactly once.
func TestNoChangeIsMissedInWhateverOrderTransactionsCommit(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	rng := rand.New(rand.NewPCG(1, 2))
	conns := make([]*pgx.Conn, 6)
	for i := range conns {
		conns[i] = f.Conn()
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
			noted[i], ends[i] = note, noting(f, conns[i], note)
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
		batch := changesAfter(f, position, "")
		got := batch.Changes
		position = batch.Position
		if len(got) > 0 && rng.IntN(2) == 0 { // the connection breaks after some of them, and another process continues
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
	for _, c := range changesAfter(f, position, "").Changes {
		seen = append(seen, c.EntityID)
	}
	slices.Sort(seen)
	slices.Sort(committed)
	require.Equal(t, committed, seen)
	require.Greater(t, len(seen), 50)
}

func TestProjectChangesEndWhereTheyAreToldTo(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	start, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	noting(f, f.Conn(), 1)(true)
	middle := changesAfter(f, start, "").Position
	noting(f, f.Conn(), 2)(true)
	require.Len(t, changesAfter(f, start, middle.Seen).Changes, 1)
	require.Equal(t, middle, changesAfter(f, start, middle.Seen).Position)
	require.Len(t, changesAfter(f, start, "").Changes, 2)

	other, err := f.ProjectChanges(t.Context(), f.NewProject("other").ID, start, middle.Seen, 1000)
	require.NoError(t, err)
	require.Empty(t, other.Changes)
	few, err := f.ProjectChanges(t.Context(), f.Demo.ID, start, "", 1)
	require.NoError(t, err)
	require.True(t, few.Reset, "there are more changes")
	require.Empty(t, few.Changes)
	ahead, err := f.ProjectChanges(t.Context(), f.Demo.ID, models.PositionAt("1:999999999999:"), "", 1)
	require.NoError(t, err)
	require.True(t, ahead.Reset, "the position is of another database")
}

// A rule, a variation and a channel setting are shown as part of their flag.
func TestChangesOfAFlagsPartsNameTheFlag(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	start, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	flag := storetest.AddFlag(f, "checkout")
	storetest.AddRule(f, flag, "green")
	changes := changesAfter(f, start, "").Changes
	require.Len(t, changes, 2)
	for _, c := range changes {
		require.Equal(t, "flags", c.Resource())
		require.Equal(t, flag.ID, c.RecordID())
	}
}
