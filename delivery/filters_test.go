package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// filtersFor is the filter header that a device gets.
func filtersFor(t *testing.T, w *world, r Request) string {
	t.Helper()
	s := w.snapshot(t)
	for _, f := range s.Render(s.Resolve(r), r).Header {
		if f.Name == "Expo-Manifest-Filters" {
			require.Len(t, f.Values, 1)
			return f.Values[0]
		}
	}
	t.Fatal("the answer has no filters")
	return ""
}

func deny(id int64) string { return `r` + itoa(id) + `="0"` }

func TestFiltersNameTheBranch(t *testing.T) {
	t.Parallel()
	w := newWorld()
	require.Equal(t, `branchname="production"`, filtersFor(t, w, ask("d")), "without any release")
	w.publish("production")
	require.Equal(t, `branchname="production"`, filtersFor(t, w, ask("d")))
}

func TestFiltersDenyWhatMustNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	off := w.publish("production", disabled)
	gone := w.publish("production")
	w.remove(gone)
	older := w.publish("production", percentage(0))
	newer := w.publish("production", percentage(0))
	w.publish("next", disabled)
	w.publish("production", disabled, func(r *models.Release) { r.Platform = models.IOS })
	w.publish("production", disabled, func(r *models.Release) { r.RuntimeVersion = "2.0.0" })

	require.Equal(t, `branchname="production", `+deny(newer)+`, `+deny(older)+`, `+deny(gone)+`, `+deny(off),
		filtersFor(t, w, ask("d")), "newest first, of this branch, platform and runtime version only")

	w.release(older).RolloutPercentage = 100
	require.Equal(t, `branchname="production", `+deny(newer)+`, `+deny(gone)+`, `+deny(off),
		filtersFor(t, w, ask("d")), "the answer itself and what is older may run")
}

func TestFiltersDenyAMovedReleaseOfABranchThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld()
	lost := w.publish("production")
	w.release(lost).BranchID, w.release(lost).BranchName = 1, ""
	w.remove(lost)
	w.publish("production")
	require.Equal(t, `branchname="production", `+deny(lost), filtersFor(t, w, ask("d")))
}

func TestFiltersOfARollbackLetOnlyTheEmbeddedUpdateRun(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	off := w.publish("production", disabled)
	w.publish("production", toEmbedded)
	want := `branchname="production", ` + deny(off) + `, ` + deny(first)
	require.Equal(t, want, filtersFor(t, w, ask("d")))

	r := ask("d")
	r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = embeddedID, embeddedID
	require.Equal(t, want, filtersFor(t, w, r), "also for a device that runs it already")
}

func TestFiltersStaySmall(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for range 4 * maxDenied {
		w.publish("production", disabled)
		w.publish("production", percentage(0))
	}
	require.Less(t, len(filtersFor(t, w, ask("d"))), 2048)
}

func TestFiltersAreNotSentForAnUnknownChannel(t *testing.T) {
	t.Parallel()
	s := newWorld().snapshot(t)
	r := ask("d")
	r.Channel = "nope"
	for _, f := range s.Render(s.Resolve(r), r).Header {
		require.NotEqual(t, "Expo-Manifest-Filters", f.Name, "the client keeps those it has")
	}
}
