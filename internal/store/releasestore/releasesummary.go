package releasestore

import (
	"fmt"
	"strings"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// This file has the sentences by which people judge a change of releases: see summary.go.

// publishSummary is about a release that is not published yet.
func publishSummary(r models.Release, policy *models.RolloutPolicy) string {
	s := fmt.Sprintf("publish build %d (%s) to %s%s", *r.BuildID, contentOf(r), placeOf(r), stateOf(r))
	if policy != nil {
		shares := pg.Each(policy.Stages, func(s models.Stage) string { return fmt.Sprintf("%g %%", s.Percentage) })
		s += fmt.Sprintf(", rolled out by policy %q in the stages %s", policy.Name, strings.Join(shares, ", "))
	} else {
		s += fmt.Sprintf(", for %g %% of the devices", r.RolloutPercentage)
	}
	return s
}

func contentOf(r models.Release) string {
	parts := []string{string(r.Platform), "runtime version " + r.RuntimeVersion}
	if r.GitCommitHash != "" {
		parts = append(parts, "commit "+unit.Shown(r.GitCommitHash))
	}
	if r.ReleaseMessage != "" {
		parts = append(parts, fmt.Sprintf("%q", unit.Shown(r.ReleaseMessage)))
	}
	return strings.Join(parts, ", ")
}

func placeOf(r models.Release) string {
	if r.Channel == nil {
		return fmt.Sprintf("branch %q", r.BranchName)
	}
	return fmt.Sprintf("channel %q (branch %q)", *r.Channel, r.BranchName)
}

func stateOf(r models.Release) string {
	parts := []string{""}
	if !r.IsEnabled {
		parts = append(parts, "disabled")
	}
	if r.IsCritical {
		parts = append(parts, "critical")
	}
	for _, l := range r.LinkedFlags {
		parts = append(parts, fmt.Sprintf("flag %s %s", l.FlagKey, linkState(l)))
	}
	return strings.Join(parts, ", ")
}

func linkState(l models.LinkedFlag) string {
	if !l.Enabled {
		return "off"
	}
	return "= " + unit.Shown(l.Value)
}

// releaseName names a release that exists.
func releaseName(r models.Release) string {
	return fmt.Sprintf("release %d (%s, branch %q)", r.ID, contentOf(r), r.BranchName)
}
