package ingest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// countedBackups counts the inserts for which a backup has to wait.
type countedBackups struct{ inserts atomic.Int32 }

func (b *countedBackups) WaitForBackup(context.Context) (release func(), err error) {
	b.inserts.Add(1)
	return func() { b.inserts.Add(-1) }, nil
}

// A backup waits for inserts, but not for the source maps of errors.
func TestABackupDoesNotWaitForSourceMaps(t *testing.T) {
	t.Parallel()
	sink, groups, backups := newMemorySink(), newHeldGroups(), &countedBackups{}
	var during []int32
	sink.onStored = func(string) error {
		during = append(during, backups.inserts.Load())
		return nil
	}
	o := testOptions(t, sink)
	o.Groups, o.Backups = groups, backups
	i := openTestIngest(t, o)
	startRun(t, i)
	require.NoError(t, i.Append(t.Context(), testReport("one", models.EventCrash)))
	await(t, groups.asked, "the question for the group")
	require.Zero(t, backups.inserts.Load())
	close(groups.may)
	sink.await(t, func() bool { return len(sink.errors(t)) == 1 })
	require.NoError(t, i.Close())
	require.Equal(t, []int32{1, 1}, during, "reports and errors")
	require.Zero(t, backups.inserts.Load())
}

// Drain inserts the entries that a killed process left, and returns the number of entries that it could not insert.
func TestDrainInsertsWhatAProcessLeft(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	left, err := Open(o)
	require.NoError(t, err)
	ids := appendReports(t, left, 20)
	_, err = Open(o)
	require.ErrorIs(t, err, ErrInUse)
	require.NoError(t, left.Close())

	sink.onInsert = func(string, []models.HealthReport) error { return errors.New("the sink does not respond") }
	log, err := Open(o)
	require.NoError(t, err)
	n, err := log.Drain(t.Context())
	require.NoError(t, err)
	require.Equal(t, 20, n)
	require.NoError(t, log.Close())

	sink.onInsert = nil
	log, err = Open(o)
	require.NoError(t, err)
	n, err = log.Drain(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.Error(t, log.Run(t.Context()), "a log is moved once")
	require.NoError(t, log.Close())
	requireOnce(t, sink, ids)
}
