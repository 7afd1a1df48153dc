package preview

import (
	"fmt"
	"slices"

	"github.com/waft-ota/waft/models"
)

// maxOverrideReleases is the maximum number of releases that NewOverrideWarnings names.
const maxOverrideReleases = 5

// NewOverrideWarnings returns sentences about what the devices of a user would get with a new override. releases are the enabled
// releases of the override's branch.
func NewOverrideWarnings(o models.UserOverride, releases []models.Release) []string {
	w := warnings{texts: []string{}}
	w.add("The devices of user %q would get the releases of branch %s on every channel. Waft cannot count them, "+
		"because it does not know the devices of a user.", o.UserID, o.BranchName)
	seen, named := map[models.Stream]bool{}, 0
	// The successor of a release that was rolled back may be behind releases that were published before it.
	newest := slices.SortedFunc(slices.Values(releases), func(a, b models.Release) int { return models.NewestFirst(&a, &b) })
	for _, r := range newest {
		of := models.Stream{Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}
		if seen[of] || r.RolloutPercentage == 0 {
			continue
		}
		seen[of] = r.RolloutPercentage == everybody // a device outside the rollout gets an older release
		if named++; named > maxOverrideReleases {
			w.add("The user's other devices would get other releases of the branch.")
			break
		}
		w.add("%s, runtime version %s: %s.", r.Platform.Shown(), r.RuntimeVersion, offered(r))
	}
	if named == 0 {
		w.add("Branch %s does not have an enabled release, so these devices would not get updates.", o.BranchName)
	}
	return w.texts
}

// everybody is the rollout percentage that includes every device.
const everybody = 100

// offered returns a phrase for a release that devices would get.
func offered(r models.Release) string {
	name := r.Phrase()
	if r.Kind == models.KindRollbackToEmbedded {
		name = fmt.Sprintf("the embedded update (#%d)", r.ID)
	}
	if r.RolloutPercentage < everybody {
		return fmt.Sprintf("%s, %g%% of devices", name, r.RolloutPercentage)
	}
	return name
}

// EndOfOverrideWarnings returns sentences about what the devices of a user would get without their override.
func EndOfOverrideWarnings(o models.UserOverride) []string {
	w := warnings{texts: []string{}}
	w.add("The devices of user %q would get the releases of their channels again, instead of branch %s. Waft cannot count "+
		"them, because it does not know the devices of a user.", o.UserID, o.BranchName)
	return w.texts
}
