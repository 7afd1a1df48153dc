package importer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/waft-ota/waft/client"
)

// The states of a planned release.
const (
	stateNew      = "new"
	stateUploaded = "uploaded" // an import uploaded it, and did not publish it to this branch
	stateImported = "imported"
)

// plannedRelease is a release with its place in the project.
type plannedRelease struct {
	release
	channel string
	state   string
	buildID int64
}

// plan describes what an import does.
type plan struct {
	channels []channel // to create
	moved    []channel // existing channels without releases, to lead to other branches
	rollouts []channel // whose branch rollout is to begin
	releases []plannedRelease
	// questions name channels with other content, which a person has to confirm.
	questions []string
	skipped   []skipped
}

// project is the state of the project before an import.
type project struct {
	channels []client.Channel
	// builds contains the imported builds by the ID of the source's release.
	builds map[string]importedBuild
	// own contains the branches that serve releases from elsewhere, and used the branches that serve any.
	own, used map[string]bool
}

// importedBuild is a build that an import uploaded.
type importedBuild struct {
	id int64
	// branches are the branches to which it is published.
	branches []string
}

// makePlan chooses the newest releases for each branch, runtime version and platform.
func makePlan(inv *inventory, p project, perTarget int) plan {
	out := plan{skipped: slices.Clone(inv.skipped)}
	existing := map[string]client.Channel{}
	for _, c := range p.channels {
		existing[c.Name] = c
	}
	leading := map[string]string{} // a channel that leads to each branch
	for _, c := range inv.channels {
		out.planChannel(c, p, existing, leading)
	}
	out.planHelpers(inv.channels, p, existing, leading)
	out.planReleases(inv.releases, p, perTarget, leading)
	out.questions = out.ask(p)
	return out
}

func (out *plan) planChannel(c channel, p project, existing map[string]client.Channel, leading map[string]string) {
	have, exists := existing[c.name]
	switch {
	case !exists:
		out.channels = append(out.channels, c)
	case have.BranchName == c.branch:
	case !p.used[have.BranchName] && have.RolloutBranchName == nil:
		// A new project has a channel that does not serve anything yet.
		out.moved = append(out.moved, c)
	default:
		out.skipped = append(out.skipped, skipped{
			"channel " + c.name,
			fmt.Sprintf("it exists and leads to branch %s instead of %s; it stays as it is", have.BranchName, c.branch),
		})
		return
	}
	have.Name, have.BranchName = c.name, c.branch
	existing[c.name] = have
	if leading[c.branch] == "" {
		leading[c.branch] = c.name
	}
	switch {
	case c.rolloutBranch == "":
	case have.RolloutBranchName == nil:
		out.rollouts = append(out.rollouts, c)
	case *have.RolloutBranchName != c.rolloutBranch:
		out.skipped = append(out.skipped, skipped{fmt.Sprintf("the rollout of branch %s on channel %s", c.rolloutBranch, c.name),
			fmt.Sprintf("the channel has a rollout of branch %s", *have.RolloutBranchName)})
	}
}

// planHelpers finds a channel for the branch of each rollout, or plans one, because Waft publishes through channels.
func (out *plan) planHelpers(all []channel, p project, existing map[string]client.Channel, leading map[string]string) {
	for _, c := range all {
		serves := existing[c.name].RolloutBranchName
		begins := slices.Contains(out.rollouts, c)
		if c.rolloutBranch == "" || !begins && (serves == nil || *serves != c.rolloutBranch) || leading[c.rolloutBranch] != "" {
			continue
		}
		for _, other := range p.channels {
			if existing[other.Name].BranchName == c.rolloutBranch && leading[c.rolloutBranch] == "" {
				leading[c.rolloutBranch] = other.Name
			}
		}
		if leading[c.rolloutBranch] == "" {
			out.planChannel(channel{name: c.rolloutBranch, branch: c.rolloutBranch}, p, existing, leading)
		}
	}
	out.rollouts = slices.DeleteFunc(out.rollouts, func(c channel) bool {
		without := leading[c.rolloutBranch] == ""
		if without {
			out.skipped = append(out.skipped, skipped{
				fmt.Sprintf("the rollout of branch %s on channel %s", c.rolloutBranch, c.name), "no channel leads to the branch",
			})
		}
		return without
	})
}

// planReleases chooses the releases, oldest first, so that the newest one is what devices get.
func (out *plan) planReleases(all []release, p project, perTarget int, leading map[string]string) {
	byTarget := map[target][]release{}
	var targets []target
	for _, r := range all {
		if byTarget[r.target()] == nil {
			targets = append(targets, r.target())
		}
		byTarget[r.target()] = append(byTarget[r.target()], r)
	}
	for _, t := range targets {
		what := fmt.Sprintf("%s %s on branch %s", t.platform, t.runtimeVersion, t.branch)
		if leading[t.branch] == "" {
			out.skipped = append(out.skipped, skipped{what, "no channel leads to the branch"})
			continue
		}
		chosen, why := choose(byTarget[t], perTarget)
		out.skipped = append(out.skipped, why.about(what)...)
		newerImported := false
		var planned []plannedRelease // newest first
		for _, r := range chosen {
			next := p.place(r, leading[t.branch])
			if next.state != stateImported && newerImported {
				out.skipped = append(out.skipped, skipped{fmt.Sprintf("release %s for %s", r.id, what),
					"a newer one is imported already, and devices would get the older one instead of it"})
				continue
			}
			newerImported = newerImported || next.state == stateImported
			planned = append(planned, next)
		}
		slices.Reverse(planned) // sources may round their times, so equal times keep this order
		out.releases = append(out.releases, planned...)
	}
	slices.SortStableFunc(out.releases, func(a, b plannedRelease) int { return a.createdAt.Compare(b.createdAt) })
}

// place returns a release with its channel, and with what the project has of it.
func (p project) place(r release, channel string) plannedRelease {
	b, ok := p.builds[r.id]
	switch {
	case !ok:
		return plannedRelease{r, channel, stateNew, 0}
	case !slices.Contains(b.branches, r.branch): // not published, or its source moved it to another branch
		return plannedRelease{r, channel, stateUploaded, b.id}
	}
	return plannedRelease{r, channel, stateImported, b.id}
}

// reasons are the reasons why releases of a target stay behind.
type reasons struct {
	older      int
	toEmbedded bool
}

func (r reasons) about(what string) (all []skipped) {
	if r.toEmbedded {
		all = append(all, skipped{what, "the source returns devices to the update inside the app; do the same with `waft rollback`"})
	}
	if r.older > 0 {
		all = append(all, skipped{fmt.Sprintf("%d older releases for %s", r.older, what), "--releases limits how many are imported"})
	}
	return all
}

// choose returns the newest releases of a target. A release for a percentage of the devices brings its predecessor along, which the
// other devices get. Releases before a return to the embedded update stay behind.
func choose(all []release, perTarget int) (chosen []release, why reasons) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b release) int {
		return cmp.Or(b.createdAt.Compare(a.createdAt), cmp.Compare(b.id, a.id))
	})
	for i, r := range all {
		if r.toEmbedded {
			why.toEmbedded = len(chosen) == 0
			why.older = len(all) - i - 1
			return chosen, why
		}
		if len(chosen) >= perTarget && chosen[len(chosen)-1].percentage >= 100 {
			why.older = len(all) - i
			return chosen, why
		}
		chosen = append(chosen, r)
	}
	return chosen, why
}

// ask returns a question for each existing channel whose devices would get other releases than now.
func (out *plan) ask(p project) (all []string) {
	for _, c := range p.channels {
		changes := slices.ContainsFunc(out.releases, func(r plannedRelease) bool {
			serves := r.branch == c.BranchName || c.RolloutBranchName != nil && r.branch == *c.RolloutBranchName
			return serves && r.state != stateImported && p.own[r.branch]
		})
		if changes {
			all = append(all, fmt.Sprintf("Channel %s has releases of its own, and its devices would get the imported ones.", c.Name))
		}
	}
	for _, c := range out.moved {
		if p.own[c.branch] {
			all = append(all, fmt.Sprintf("Channel %s would lead to branch %s, which has releases that were not imported.", c.name, c.branch))
		}
	}
	for _, c := range out.begun() {
		all = append(all, fmt.Sprintf("Channel %s exists, and %v%% of its devices would get branch %s.",
			c.name, c.rolloutPercentage, c.rolloutBranch))
	}
	return all
}

// begun returns the existing channels whose branch rollout is to begin.
func (out *plan) begun() (all []channel) {
	for _, c := range out.rollouts {
		if !slices.Contains(out.channels, c) {
			all = append(all, c)
		}
	}
	return all
}
