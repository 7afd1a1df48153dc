package reports

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// noNames is a project without a name of its own.
type noNames struct{}

func (noNames) HasChannel(string) bool                { return false }
func (noNames) HasRuntimeVersion(string) bool         { return false }
func (noNames) CanonicalUpdate(string) (string, bool) { return "", false }
func (noNames) HasFlag(string) bool                   { return false }
func (noNames) HasVariation(string, string) bool      { return false }

func newTestLimiter(now func() time.Time) *Limiter {
	return NewLimiter(now, prometheus.NewRegistry())
}

// Names are counted by project and dimension, also when many report at once.
func TestLimitsHoldForManyAtOnce(t *testing.T) {
	t.Parallel()
	l := newTestLimiter(time.Now)
	var mu sync.Mutex
	let := map[int64]map[string]bool{1: {}, 2: {}}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for n := range 300 {
				project := int64(1 + (worker+n)%2)
				r := models.HealthReport{Channel: strconv.Itoa(n)}
				l.Limit(project, noNames{}, &r)
				mu.Lock()
				let[project][r.Channel] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for project, names := range let {
		require.Len(t, names, Limits()["channel"]+1, "project %d: those within the limit, and (other)", project)
		require.True(t, names[OtherName])
	}
}

// Reports whose names are known wait for no one: with the lock of every set taken they
// are limited all the same.
func TestKnownNamesTakeNoLock(t *testing.T) {
	t.Parallel()
	l := newTestLimiter(time.Now)
	report := func() *models.HealthReport {
		return &models.HealthReport{Channel: "production", RuntimeVersion: "1", UpdateUUID: "u", Events: []models.HealthEvent{{
			Name: "n", ErrorName: "e", Tags: models.Texts{{Name: "t", Value: "v"}}, FlagStates: models.Texts{{Name: "f", Value: "on"}},
		}}}
	}
	l.Limit(7, noNames{}, report())
	sets := l.names(7)
	for d := range sets {
		sets[d].adding.Lock()
	}
	again := report()
	l.Limit(7, noNames{}, again)
	require.Equal(t, report(), again)
}

func BenchmarkLimit(b *testing.B) {
	l := newTestLimiter(time.Now)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r := models.HealthReport{Channel: "production", RuntimeVersion: "1", UpdateUUID: "u", Events: []models.HealthEvent{
			{Name: "n", FlagStates: models.Texts{{Name: "f", Value: "on"}}}, {Name: "m"}, {ErrorName: "e"},
		}}
		for pb.Next() {
			l.Limit(7, noNames{}, &r)
		}
	})
}
