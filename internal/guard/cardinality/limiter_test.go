package cardinality

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

// anybody may use the whole of each limit.
var anybody = Source{Trusted: true, Served: true}

func newTestLimiter(now func() time.Time) *Limiter {
	return NewLimiter(now, prometheus.NewRegistry())
}

// Names are counted by project and dimension, even when many devices report at the same time.
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
				l.Limit(project, noNames{}, anybody, &r)
				mu.Lock()
				let[project][r.Channel] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for project, names := range let {
		require.Len(t, names, limits[Channel].names+1, "project %d: those within the limit, and (other)", project)
		require.True(t, names[OtherName])
	}
}

// A flood of invented names leaves room for the names of a device that was served.
func TestServedDevicesHaveAReserve(t *testing.T) {
	t.Parallel()
	l := newTestLimiter(time.Now)
	report := func(name string) *models.HealthReport {
		return &models.HealthReport{Channel: "c" + name, Events: []models.HealthEvent{{
			Name: "n" + name, ErrorName: "e" + name, Tags: models.Texts{{Name: "t" + name, Value: "v"}},
		}}}
	}
	for n := range 3000 {
		l.Limit(7, noNames{}, Source{Trusted: true}, report(strconv.Itoa(n)))
	}
	lost := report("honest")
	l.Limit(7, noNames{}, Source{}, lost)
	require.Equal(t, OtherName, lost.Events[0].ErrorName)
	kept := report("honest")
	l.Limit(7, noNames{}, Source{Served: true}, kept)
	require.Equal(t, report("honest"), kept)
	require.Equal(t, "chonest", l.LimitChannel(7, noNames{}, Source{}, "chonest"), "it is known to everybody then")
	require.Equal(t, OtherName, l.LimitChannel(7, noNames{}, Source{}, "another"))
}

func BenchmarkLimit(b *testing.B) {
	l := newTestLimiter(time.Now)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r := models.HealthReport{Channel: "production", RuntimeVersion: "1", UpdateUUID: "u", Events: []models.HealthEvent{
			{Name: "n", FlagStates: models.Texts{{Name: "f", Value: "on"}}}, {Name: "m"}, {ErrorName: "e"},
		}}
		for pb.Next() {
			l.Limit(7, noNames{}, anybody, &r)
		}
	})
}
