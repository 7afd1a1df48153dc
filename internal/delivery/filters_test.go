package delivery

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// filtersFor is the filter header that a device gets.
func filtersFor(t *testing.T, w *world, r Request) string {
	t.Helper()
	s := w.snapshot(t)
	h := http.Header{}
	s.Render(s.Resolve(r), r).SetHeader(h)
	require.Len(t, h["Expo-Manifest-Filters"], 1)
	return h.Get("expo-manifest-filters")
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
	w.nextID = 10_000_000
	kept := w.publish("production")
	for range maxDenied {
		w.publish("production", disabled)
		w.publish("production", percentage(0))
	}
	filters := filtersFor(t, w, ask("d"))
	require.Equal(t, 2*maxDenied, strings.Count(filters, `="0"`))
	require.Less(t, len(filters), 2048)

	w.publish("production", percentage(0))
	only := `branchname="production", releaseid="` + itoa(kept) + `"`
	require.Equal(t, only, filtersFor(t, w, ask("d")), "too many to name")
	w.release(kept).IsEnabled = false
	require.Equal(t, `branchname=""`, filtersFor(t, w, ask("d")), "nothing may run")
}

func TestFiltersAreNotSentForAnUnknownChannel(t *testing.T) {
	t.Parallel()
	s := newWorld().snapshot(t)
	r := ask("d")
	r.Channel = "nope"
	h := http.Header{}
	s.Render(s.Resolve(r), r).SetHeader(h)
	require.NotContains(t, h, "Expo-Manifest-Filters", "the client keeps those it has")
}
