package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// readPatches reads the patches to or from the contents that something changed
// about: which updates have them, which builds are served, the patches themselves.
func (d *delta) readPatches() error {
	if !d.touched(partPatches) && !d.touched(partReleases) && !d.touched(partBlobs) {
		return nil
	}
	contents := keySet(d.changed[partBlobs])
	for _, key := range d.changed[partPatches] {
		target, base, _ := strings.Cut(key, "/")
		contents[target], contents[base] = true, true
	}
	if d.touched(partReleases) {
		var bundles []string
		q := d.tx.Table("releases").Joins("JOIN build_assets ON build_assets.build_id = releases.build_id AND build_assets.is_launch_asset")
		if err := keyed(q, "releases.id", "bigint", d.changed[partReleases]).Pluck("build_assets.md5", &bundles).Error; err != nil {
			return err
		}
		for _, md5 := range bundles {
			contents[md5] = true
		}
	}
	// A release that is uncovered, or no more the answer, makes its bundle a target or
	// ends that, without having changed itself.
	served := launchAssetsOf(d.next.Builds)
	for md5 := range launchAssetsOf(d.before.Builds) {
		if served[md5] {
			delete(served, md5) // as before
		} else {
			contents[md5] = true
		}
	}
	maps.Copy(contents, served)
	if len(contents) == 0 {
		return nil
	}
	rows, err := snapshotPatches(d.tx, d.next.Project.ID, d.next.Builds, slices.Sorted(maps.Keys(contents)))
	if err != nil {
		return err
	}
	d.next.Patches = merge(d.before.Patches, rows, comparePatches,
		func(p models.OfferedPatch) bool { return contents[p.TargetMD5] || contents[p.BaseMD5] })
	return nil
}

// comparePatches is the order of snapshotPatches.
func comparePatches(a, b models.OfferedPatch) int {
	return cmp.Or(cmp.Compare(a.TargetMD5, b.TargetMD5), cmp.Compare(a.BaseMD5, b.BaseMD5),
		cmp.Compare(a.BaseUpdate.String(), b.BaseUpdate.String()))
}

// launchAssetsOf are the MD5s of the builds' launch assets.
func launchAssetsOf(builds map[int64]*models.Build) map[string]bool {
	md5s := make(map[string]bool, len(builds))
	for _, b := range builds {
		for _, a := range b.Assets {
			if a.IsLaunchAsset {
				md5s[a.MD5] = true
			}
		}
	}
	return md5s
}
