package preview

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestOverridesAreDescribed(t *testing.T) {
	t.Parallel()
	o := models.UserOverride{UserID: "ada", BranchName: "next"}
	const who = `The devices of user "ada" would get the releases of branch next on every channel. Waft cannot count them, ` +
		`because it does not know the devices of a user.`
	release := func(id int64, platform models.Platform, version, notes string, percentage float64) models.Release {
		return models.Release{ID: id, Platform: platform, RuntimeVersion: version, ReleaseMessage: notes, RolloutPercentage: percentage, Kind: models.KindUpdate}
	}
	require.Equal(t, []string{
		who,
		"iOS, runtime version 1.0.0: release “Faster” (#9), 5% of devices.",
		"Android, runtime version 1.0.0: release 7.",
		"iOS, runtime version 1.0.0: release “Slower” (#5).",
	}, NewOverrideWarnings(o, []models.Release{
		release(9, models.IOS, "1.0.0", "Faster\nand smaller", 5), release(8, models.Android, "1.0.0", "for nobody", 0),
		release(7, models.Android, "1.0.0", "", 100), release(6, models.Android, "1.0.0", "behind the newer one", 100),
		release(5, models.IOS, "1.0.0", "Slower", 100),
	}))
	require.Equal(t, []string{who, "Branch next does not have an enabled release, so these devices would not get updates."},
		NewOverrideWarnings(o, nil))

	var many []models.Release
	for _, version := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		many = append(many, release(1, models.IOS, version, "x", 100))
	}
	said := NewOverrideWarnings(o, many)
	require.Len(t, said, 1+maxOverrideReleases+1)
	require.Equal(t, "The user's other devices would get other releases of the branch.", said[len(said)-1])

	back := models.Release{ID: 3, Platform: models.IOS, RuntimeVersion: "1", Kind: models.KindRollbackToEmbedded, RolloutPercentage: 100}
	require.Equal(t, "iOS, runtime version 1: the embedded update (#3).", NewOverrideWarnings(o, []models.Release{back})[1])
	require.Equal(t, []string{`The devices of user "ada" would get the releases of their channels again, instead of branch next. ` +
		`Waft cannot count them, because it does not know the devices of a user.`}, EndOfOverrideWarnings(o))
}
