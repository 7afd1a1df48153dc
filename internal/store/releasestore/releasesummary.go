package releasestore

import (
	"fmt"
	"strings"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// This file builds the sentences that describe changes of releases to the people who approve them: see summary.go of
// package unit.

// byPolicy describes how a policy rolls a release out.
func byPolicy(policy models.RolloutPolicy) string {
	shares := pg.Each(policy.Stages, func(s models.Stage) string { return fmt.Sprintf("%g%%", s.Percentage) })
	return fmt.Sprintf("by policy %q in the stages %s", policy.Name, strings.Join(shares, ", "))
}

// contentOf describes the files of a release.
func contentOf(r models.Release) string {
	parts := []string{r.Platform.Shown(), "runtime version " + r.RuntimeVersion}
	if r.GitCommitHash != "" {
		parts = append(parts, "commit "+unit.Shown(r.GitCommitHash))
	}
	return strings.Join(parts, ", ")
}

// named returns a phrase that identifies a release or build by its message, with its number at the end of the facts. Without a
// message, the number comes first.
func named(kind string, id int64, message, facts string) string {
	if message == "" {
		return fmt.Sprintf("%s %d (%s)", kind, id, facts)
	}
	return fmt.Sprintf("%s %s (%s, #%d)", kind, unit.Quoted(message), facts, id)
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

// releaseName returns a phrase that identifies an existing release.
func releaseName(r models.Release) string {
	return named("release", r.ID, r.ReleaseMessage, fmt.Sprintf("%s, branch %q", contentOf(r), r.BranchName))
}

// contentFacts returns what devices are given of a release, without the IDs and times, which would differ if the same
// call ran again.
func contentFacts(r models.Release) map[string]any {
	return map[string]any{
		"branch": r.BranchID, "build": r.BuildID, "kind": r.Kind, "platform": r.Platform, "runtimeVersion": r.RuntimeVersion,
		"isCritical": r.IsCritical, "releaseMessage": r.ReleaseMessage, "linkedFlags": linkDetails(r.LinkedFlags),
	}
}
