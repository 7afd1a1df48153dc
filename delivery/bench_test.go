package delivery

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestANoUpdateCheckAllocatesNextToNothing is not parallel: allocations are counted
// for the whole process.
func TestANoUpdateCheckAllocatesNextToNothing(t *testing.T) {
	w := newWorld()
	w.publish("production")
	w.publish("production", percentage(50))
	s := w.snapshot(t)
	r := ask("device")
	r.CurrentUpdateUUID = s.Resolve(r).UpdateUUID
	allocations := testing.AllocsPerRun(100, func() { s.Render(s.Resolve(r), r) })
	require.LessOrEqual(t, allocations, 1.0)
}

func TestASnapshotRendersOnlyWhatCanBeAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for range 20 {
		w.publish("production")
	}
	w.publish("production", percentage(5))
	rendered := 0
	for _, r := range w.snapshot(t).releases {
		if r.body.multipart != nil {
			rendered++
		}
	}
	require.Equal(t, 2, rendered)
}

func BenchmarkManifest(b *testing.B) {
	for _, releases := range []int{1, 100, 10_000} {
		w := newWorld()
		for range releases {
			w.publish("production")
		}
		s := w.snapshot(b)
		newest := w.uuid(w.state.Releases[0].ID)
		h := http.Header{}
		h.Set("accept", stockAccept)
		h.Set("expo-protocol-version", "1")
		h.Set("expo-platform", "android")
		h.Set("expo-runtime-version", testRuntime)
		h.Set("expo-channel-name", "production")
		h.Set("eas-client-id", "4f1cb2ca-c237-4cd5-8506-81232e8575a8")
		b.Run(fmt.Sprintf("update/releases=%d", releases), func(b *testing.B) { benchmark(b, s, h.Clone()) })
		h.Set("expo-current-update-id", newest)
		b.Run(fmt.Sprintf("no update/releases=%d", releases), func(b *testing.B) { benchmark(b, s, h) })
	}
}

func benchmark(b *testing.B, s *Snapshot, h http.Header) {
	b.ReportAllocs()
	for b.Loop() {
		r, err := ParseRequest(h, nil)
		if err != nil {
			b.Fatal(err)
		}
		if res := s.Render(s.Resolve(r), r); res.Status != http.StatusOK {
			b.Fatal(res.Status)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, releases := range []int{10, 1000} {
		w := newWorld()
		for range releases {
			w.publish("production")
		}
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.snapshot(b)
			}
		})
	}
}
