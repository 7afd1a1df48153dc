package delivery

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// filtersFor returns the filter header that a device gets.
func filtersFor(t *testing.T, tp *testProject, r Request) string {
	t.Helper()
	s := tp.snapshot(t)
	h := http.Header{}
	s.Respond(r).SetHeader(h)
	require.Len(t, h["Expo-Manifest-Filters"], 1)
	return h.Get("expo-manifest-filters")
}

func deny(id int64) string { return `r` + itoa(id) + `="0"` }

func TestFiltersNameTheBranch(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	require.Equal(t, `branchname="production"`, filtersFor(t, tp, ask("d")), "without any release")
	tp.publish("production")
	require.Equal(t, `branchname="production"`, filtersFor(t, tp, ask("d")))
}

func TestFiltersDenyWhatMustNotRun(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	off := tp.publish("production", disabled)
	gone := tp.publish("production")
	tp.remove(gone)
	older := tp.publish("production", percentage(0))
	newer := tp.publish("production", percentage(0))
	tp.publish("next", disabled)
	tp.publish("production", disabled, func(r *models.Release) { r.Platform = models.IOS })
	tp.publish("production", disabled, func(r *models.Release) { r.RuntimeVersion = "2.0.0" })

	require.Equal(t, `branchname="production", `+deny(newer)+`, `+deny(older)+`, `+deny(gone)+`, `+deny(off),
		filtersFor(t, tp, ask("d")), "newest first, of this branch, platform and runtime version only")

	tp.release(older).RolloutPercentage = 100
	require.Equal(t, `branchname="production", `+deny(newer)+`, `+deny(gone)+`, `+deny(off),
		filtersFor(t, tp, ask("d")), "the answer itself and what is older may run")
}

func TestFiltersDenyAMovedReleaseOfABranchThatIsGone(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	lost := tp.publish("production")
	tp.release(lost).BranchID, tp.release(lost).BranchName = 1, ""
	tp.remove(lost)
	tp.publish("production")
	require.Equal(t, `branchname="production", `+deny(lost), filtersFor(t, tp, ask("d")))
}

func TestFiltersOfARollbackLetOnlyTheEmbeddedUpdateRun(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	off := tp.publish("production", disabled)
	tp.publish("production", toEmbedded)
	want := `branchname="production", ` + deny(off) + `, ` + deny(first)
	require.Equal(t, want, filtersFor(t, tp, ask("d")))

	r := ask("d")
	r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = embeddedID, embeddedID
	require.Equal(t, want, filtersFor(t, tp, r), "even for a device that already runs it")
}

func TestFiltersStaySmall(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.nextID = 10_000_000
	kept := tp.publish("production")
	for range maxExcluded {
		tp.publish("production", disabled)
		tp.publish("production", percentage(0))
	}
	filters := filtersFor(t, tp, ask("d"))
	require.Equal(t, 2*maxExcluded, strings.Count(filters, `="0"`))
	require.Less(t, len(filters), 2048)

	tp.publish("production", percentage(0))
	only := `branchname="production", releaseid="` + itoa(kept) + `"`
	require.Equal(t, only, filtersFor(t, tp, ask("d")), "too many releases to name")
	tp.release(kept).IsEnabled = false
	require.Equal(t, `branchname=""`, filtersFor(t, tp, ask("d")), "only the embedded update may run")
}

func TestFiltersAreNotSentForAnUnknownChannel(t *testing.T) {
	t.Parallel()
	s := newTestProject().snapshot(t)
	r := ask("d")
	r.Channel = "nope"
	h := http.Header{}
	s.Respond(r).SetHeader(h)
	require.NotContains(t, h, "Expo-Manifest-Filters", "the client keeps its filters")
}
