package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

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

// maxBaseNames is how many releases of one base a snapshot knows, the newest ones;
// devices that run an older one of the same bundle get the whole file.
const maxBaseNames = 100

// snapshotPatches are the patches to the launch assets of builds, once for every
// update that has the base's bundle, by target, base and that update. contents are
// MD5s; with them, the patches to or from one of these alone.
func snapshotPatches(tx *gorm.DB, projectID int64, builds map[int64]*models.Build, contents []string) ([]models.OfferedPatch, error) {
	targets := slices.Collect(maps.Keys(launchAssetsOf(builds)))
	offered := []models.OfferedPatch{}
	if len(targets) == 0 {
		return offered, nil
	}
	narrow := ""
	args := []any{maxBaseNames, projectID, models.PatchOffered, arrayOf(targets)}
	if contents != nil {
		only := arrayOf(contents)
		narrow = `AND (p.target_md5 = ANY (?::text[]) OR p.base_md5 = ANY (?::text[]))`
		args = append(args, only, only)
	}
	err := tx.Raw(`SELECT p.target_md5, p.base_md5, p.size_bytes, base.update_uuid AS base_update
		FROM patches p CROSS JOIN LATERAL (
			(SELECT r.update_uuid FROM build_assets a JOIN releases r ON r.build_id = a.build_id
				WHERE a.project_id = p.project_id AND a.md5 = p.base_md5 AND a.is_launch_asset ORDER BY r.id DESC LIMIT ?)
			UNION ALL
			(SELECT b.embedded_update_id FROM build_assets a JOIN builds b ON b.id = a.build_id
				WHERE a.project_id = p.project_id AND a.md5 = p.base_md5 AND a.is_launch_asset AND b.embedded_update_id IS NOT NULL)
		) base
		WHERE p.project_id = ? AND p.status = ? AND p.target_md5 IN (SELECT unnest(?::text[])) `+narrow+`
		ORDER BY p.target_md5, p.base_md5, base.update_uuid`, args...).Scan(&offered).Error
	return offered, err
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
