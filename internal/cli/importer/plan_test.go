package importer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// at returns a release of iOS on branch main that was created some minutes after the first.
func at(minute int, change func(*release)) release {
	r := release{
		id: string(rune('a' + minute)), branch: "main", runtimeVersion: "1.0.0", platform: models.IOS, percentage: 100,
		createdAt: time.Date(2026, 3, 14, 9, minute, 0, 0, time.UTC),
	}
	if change != nil {
		change(&r)
	}
	return r
}

func partly(r *release)     { r.percentage = 25 }
func toEmbedded(r *release) { r.toEmbedded = true }

func ids(releases []release) (all []string) {
	for _, r := range releases {
		all = append(all, r.id)
	}
	return all
}

func TestTheNewestReleasesAreChosen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		all       []release
		perTarget int
		want      []string
		why       reasons
	}{
		"the newest":                        {[]release{at(0, nil), at(2, nil), at(1, nil)}, 1, []string{"c"}, reasons{older: 2}},
		"several":                           {[]release{at(0, nil), at(2, nil), at(1, nil)}, 2, []string{"c", "b"}, reasons{older: 1}},
		"a rollout brings its predecessor":  {[]release{at(0, nil), at(1, nil), at(2, partly)}, 1, []string{"c", "b"}, reasons{older: 1}},
		"a first release for a few devices": {[]release{at(0, partly)}, 1, []string{"a"}, reasons{}},
		"a return to the embedded update":   {[]release{at(0, nil), at(1, toEmbedded)}, 1, nil, reasons{older: 1, toEmbedded: true}},
		"a release after such a return":     {[]release{at(0, nil), at(1, toEmbedded), at(2, nil)}, 3, []string{"c"}, reasons{older: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chosen, why := choose(c.all, c.perTarget)
			require.Equal(t, c.want, ids(chosen))
			require.Equal(t, c.why, why)
		})
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	inv := &inventory{
		channels: []channel{{name: "live", branch: "main", rolloutBranch: "next", rolloutPercentage: 10}, {name: "beta", branch: "main"}},
		releases: []release{at(0, nil), at(1, func(r *release) { r.branch = "next" }), at(2, func(r *release) { r.branch = "lost" })},
	}
	p := makePlan(inv, project{builds: map[string]importedBuild{}}, 1)
	require.Equal(t, []channel{inv.channels[0], inv.channels[1], {name: "next", branch: "next"}}, p.channels)
	require.Equal(t, inv.channels[:1], p.rollouts)
	require.Equal(t, []plannedRelease{{inv.releases[0], "live", stateNew, 0}, {inv.releases[1], "next", stateNew, 0}}, p.releases)
	require.Equal(t, []skipped{{"ios 1.0.0 on branch lost", "no channel leads to the branch"}}, p.skipped)
	require.Empty(t, p.questions)

	// The project has some of it.
	have := project{
		channels: []client.Channel{{Name: "live", BranchName: "main"}, {Name: "beta", BranchName: "other"}},
		builds:   map[string]importedBuild{"a": {5, []string{"main"}}, "b": {6, nil}},
		own:      map[string]bool{"main": true, "next": true},
		used:     map[string]bool{"main": true, "next": true, "other": true},
	}
	const begins = "Channel live exists, and 10% of its devices would get branch next."
	p = makePlan(inv, have, 1)
	require.Equal(t, []plannedRelease{{inv.releases[0], "live", stateImported, 5}, {inv.releases[1], "next", stateUploaded, 6}}, p.releases)
	require.Equal(t, []channel{{name: "next", branch: "next"}}, p.channels)
	require.Equal(t, inv.channels[:1], p.rollouts)
	require.Equal(t, []string{begins}, p.questions, "no other release is new for devices of an existing channel")
	require.Contains(t, p.lines(), "lead channel live to branch next for 10% of devices")
	require.Equal(t, []string{"next", "live"}, channelNames(p.report("eas", true)))
	require.Contains(t, p.skipped, skipped{"channel beta", "it exists and leads to branch other instead of main; it stays as it is"})
	have.builds = nil
	const changes = "Channel live has releases of its own, and its devices would get the imported ones."
	require.Equal(t, []string{changes, begins}, makePlan(inv, have, 1).questions)
}

func channelNames(r importReport) (names []string) {
	for _, c := range r.Channels {
		names = append(names, c.Name)
	}
	return names
}

func TestAnInterruptedImportOfABranchRolloutIsContinued(t *testing.T) {
	t.Parallel()
	inv := &inventory{
		channels: []channel{{name: "live", branch: "main", rolloutBranch: "next", rolloutPercentage: 10}},
		releases: []release{at(0, nil), at(1, func(r *release) { r.branch = "next" })},
	}
	live, helper := client.Channel{Name: "live", BranchName: "main"}, client.Channel{Name: "next", BranchName: "next"}
	running, elsewhere := live, helper
	running.RolloutBranchName = new("next")
	elsewhere.BranchName = "other"
	used := map[string]bool{"main": true, "other": true}
	for name, c := range map[string]struct {
		channels []client.Channel
		through  string // the channel for the rollout's branch
		rollouts []channel
	}{
		"before the helper channel": {[]client.Channel{live}, "next", inv.channels},
		"before the rollout":        {[]client.Channel{live, helper}, "next", inv.channels},
		"after the rollout":         {[]client.Channel{running, helper}, "next", []channel{}},
		"without the helper":        {[]client.Channel{running}, "next", []channel{}},
		"another helper":            {[]client.Channel{live, {Name: "preview", BranchName: "next"}}, "preview", inv.channels},
		"a helper that is taken":    {[]client.Channel{live, elsewhere}, "", []channel{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := makePlan(inv, project{channels: c.channels, used: used}, 1)
			want := []plannedRelease{{inv.releases[0], "live", stateNew, 0}}
			if c.through != "" {
				want = append(want, plannedRelease{inv.releases[1], c.through, stateNew, 0})
			}
			require.Equal(t, want, p.releases)
			require.ElementsMatch(t, c.rollouts, p.rollouts)
		})
	}
}

func TestAMovedChannelAsksIfItsNewBranchHasOwnReleases(t *testing.T) {
	t.Parallel()
	inv := &inventory{channels: []channel{{name: "beta", branch: "main"}}, releases: []release{at(0, nil)}}
	have := project{
		channels: []client.Channel{{Name: "beta", BranchName: "empty"}}, builds: map[string]importedBuild{"a": {5, []string{"main"}}},
		own: map[string]bool{}, used: map[string]bool{"main": true},
	}
	p := makePlan(inv, have, 1)
	require.Equal(t, inv.channels, p.moved, "nothing is served there yet")
	require.Empty(t, p.questions)
	have.own["main"] = true
	const asks = "Channel beta would lead to branch main, which has releases that were not imported."
	require.Equal(t, []string{asks}, makePlan(inv, have, 1).questions)
}

func TestReleasesThatAreOlderThanAnImportedOneStayBehind(t *testing.T) {
	t.Parallel()
	inv := &inventory{
		channels: []channel{{name: "live", branch: "main"}},
		releases: []release{at(0, nil), at(1, nil), at(2, nil), at(3, nil)},
	}
	have := project{
		channels: []client.Channel{{Name: "live", BranchName: "main"}},
		builds:   map[string]importedBuild{"a": {5, nil}, "c": {6, []string{"main"}}},
	}
	p := makePlan(inv, have, 4)
	require.Equal(t, []plannedRelease{{inv.releases[2], "live", stateImported, 6}, {inv.releases[3], "live", stateNew, 0}}, p.releases)
	const why = "a newer one is imported already, and devices would get the older one instead of it"
	require.Equal(t, []skipped{{"release b for ios 1.0.0 on branch main", why}, {"release a for ios 1.0.0 on branch main", why}}, p.skipped)
}

func TestAReleaseThatTheSourceMovedIsPublishedAgain(t *testing.T) {
	t.Parallel()
	inv := &inventory{channels: []channel{{name: "live", branch: "main"}}, releases: []release{at(0, nil)}}
	have := project{
		channels: []client.Channel{{Name: "live", BranchName: "main"}}, builds: map[string]importedBuild{"a": {5, []string{"beta"}}},
	}
	require.Equal(t, []plannedRelease{{inv.releases[0], "live", stateUploaded, 5}}, makePlan(inv, have, 1).releases)
}

func TestMarks(t *testing.T) {
	t.Parallel()
	text := mark("xprem", at(0, func(r *release) { r.message = "fix" }))
	require.Equal(t, "Imported from xprem (a, created 2026-03-14T09:00:00Z): fix", text)
	require.Equal(t, "a", markedID("xprem", text))
	require.Empty(t, markedID("eas", text))
	require.Empty(t, markedID("xprem", "fix"))
}

func TestChannelsOfEAS(t *testing.T) {
	t.Parallel()
	// The mappings have the types LegacyRolloutBranchMapping and ConstrainedRolloutBranchMapping of eas-cli.
	const legacy = `{"version":0,"data":[{"branchId":"2","branchMappingLogic":
		{"operand":0.1,"clientKey":"rolloutToken","branchMappingOperator":"hash_lt"}},
		{"branchId":"1","branchMappingLogic":"true"}]}`
	const constrained = `{"version":0,"data":[{"branchId":"2","branchMappingLogic":["and",
		{"operand":"1.0.0","clientKey":"runtimeVersion","branchMappingOperator":"=="},
		{"operand":0.1,"clientKey":"rolloutToken","branchMappingOperator":"hash_lt"}]},{"branchId":"1","branchMappingLogic":"true"}]}`
	rollout := channel{"live", "main", "next", 10}
	for mapping, want := range map[string]channel{
		`{"version":0,"data":[{"branchId":"1","branchMappingLogic":"true"}]}`: {name: "live", branch: "main"},
		legacy: rollout, constrained: rollout,
		`{"version":0,"data":[]}`: {}, `{`: {},
		`{"version":0,"data":[{"branchId":"1","branchMappingLogic":{"operand":"1","clientKey":"x","branchMappingOperator":"=="}}]}`: {},
	} {
		c := easChannel{Name: "live", BranchMapping: mapping}
		c.UpdateBranches = append(c.UpdateBranches, struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		}{"1", "main"}, struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		}{"2", "next"})
		got, why := c.channel()
		require.Equal(t, want, got, mapping)
		require.Equal(t, want.name == "", why != "", mapping)
	}
}

func TestBundlesOfHotUpdater(t *testing.T) {
	t.Parallel()
	bundle := hotBundle{
		ID: "0199e4a5-7c00-7000-8000-000000000000", Platform: "ios", Enabled: true, Channel: "production", TargetAppVersion: "1.2.0",
	}
	read := func(change func(*hotBundle)) (inv inventory) {
		b := bundle
		change(&b)
		b.addTo(&inv)
		require.Equal(t, []channel{{name: "production", branch: "production"}}, inv.channels)
		return inv
	}
	r := read(func(b *hotBundle) { b.RolloutCohortCount = new(250.0) }).releases[0]
	require.Equal(t, "1.2.0", r.runtimeVersion)
	require.InDelta(t, 25, r.percentage, 0)
	require.Equal(t, 2025, r.createdAt.Year())
	require.Equal(t, "f00", read(func(b *hotBundle) { b.FingerprintHash, b.TargetAppVersion = "f00", "" }).releases[0].runtimeVersion)
	for _, change := range []func(*hotBundle){
		func(b *hotBundle) { b.Enabled = false },
		func(b *hotBundle) { b.TargetAppVersion = "1.x" }, func(b *hotBundle) { b.TargetAppVersion = "*" },
	} {
		inv := read(change)
		require.Empty(t, inv.releases)
		require.Len(t, inv.skipped, 1)
	}
}
