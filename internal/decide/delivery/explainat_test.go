package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExplainAtSupposesAShareOfOneRelease(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	older := tp.publish("production")
	newer := tp.publish("production", percentage(10))
	s := tp.snapshot(t)
	r := Request{Channel: "production", Platform: "android", RuntimeVersion: testRuntime, DeviceID: "device"}
	for supposed, want := range map[float64]int64{0: older, 100: newer} {
		d, ok := s.ExplainAt(r, newer, supposed)
		require.True(t, ok)
		require.Equal(t, want, d.ReleaseID)
		require.NotEmpty(t, d.Steps)
	}
	d, ok := s.ExplainAt(r, older, 0)
	require.True(t, ok)
	require.Equal(t, s.Resolve(r).ReleaseID == newer, d.ReleaseID == newer, "the other release keeps its rollout percentage")
	require.NotEqual(t, older, d.ReleaseID)

	tp.release(newer).IsEnabled = false
	d, _ = tp.snapshot(t).ExplainAt(r, newer, 100)
	require.Equal(t, older, d.ReleaseID, "a disabled release stays disabled")

	_, ok = s.ExplainAt(r, 1, 100)
	require.False(t, ok)
	tp.remove(newer)
	_, ok = tp.snapshot(t).ExplainAt(r, newer, 100)
	require.False(t, ok)
}
