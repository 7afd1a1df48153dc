package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExplainAtSupposesAShareOfOneRelease(t *testing.T) {
	t.Parallel()
	w := newWorld()
	older := w.publish("production")
	newer := w.publish("production", percentage(10))
	s := w.snapshot(t)
	r := Request{Channel: "production", Platform: "android", RuntimeVersion: testRuntime, DeviceID: "device"}
	for supposed, want := range map[float64]int64{0: older, 100: newer} {
		d, ok := s.ExplainAt(r, newer, supposed)
		require.True(t, ok)
		require.Equal(t, want, d.ReleaseID)
		require.NotEmpty(t, d.Steps)
	}
	d, ok := s.ExplainAt(r, older, 0)
	require.True(t, ok)
	require.Equal(t, s.Resolve(r).ReleaseID == newer, d.ReleaseID == newer, "the other release keeps its share")
	require.NotEqual(t, older, d.ReleaseID)

	w.release(newer).IsEnabled = false
	d, _ = w.snapshot(t).ExplainAt(r, newer, 100)
	require.Equal(t, older, d.ReleaseID, "what is disabled stays so")

	_, ok = s.ExplainAt(r, 1, 100)
	require.False(t, ok)
	w.remove(newer)
	_, ok = w.snapshot(t).ExplainAt(r, newer, 100)
	require.False(t, ok)
}
