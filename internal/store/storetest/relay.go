package storetest

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// RunningRelay is a relay that is running.
type RunningRelay struct {
	Cancel context.CancelFunc
	Wait   func()
}

// RunRelay runs a relay until it is stopped or the test ends.
func RunRelay(t *testing.T, s *store.Store, handle func(context.Context, models.OutboxMessage) error) RunningRelay {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		if err := unit.NewRelay(s.DB, handle, slog.New(slog.DiscardHandler)).Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	r := RunningRelay{Cancel: cancel, Wait: work.Wait}
	t.Cleanup(r.Stop)
	return r
}

// Enqueue writes n outbox messages and returns the IDs of all waiting ones.
func Enqueue(f *Fixture, n int) []int64 {
	f.T.Helper()
	f.MustExec(`INSERT INTO outbox (project_id, kind, payload) SELECT 1, 'test', to_jsonb(i) FROM generate_series(1, $1::int) i`, n)
	f.MustExec("NOTIFY waft_outbox")
	return Query[int64](f, "SELECT id FROM outbox ORDER BY id")
}

// Stop stops the relay and waits until it has ended.
func (r RunningRelay) Stop() {
	r.Cancel()
	r.Wait()
}
