package snapshotstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unique"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

const (
	// maxCursorAge is the maximum age of a snapshot from which the next one can be read as a delta. Rows of
	// snapshot_changes are kept for longer, so that none are missing.
	maxCursorAge    = 12 * time.Hour
	changesKeptFor  = "24 hours"
	maxDeltaChanges = 20_000
)

// SnapshotSince returns the same as Snapshot for the project of before, but reads only what changed in transactions
// that before has not seen. The result shares unchanged data with before. ok is false if before is too old or if too
// much has changed.
func (s *SnapshotReader) SnapshotSince(ctx context.Context, before models.ProjectSnapshot) (snapshot models.ProjectSnapshot, ok bool, err error) {
	err = s.db.Read(ctx, func(tx *gorm.DB) error {
		cursor, err := snapshotCursor(tx)
		if ok = err == nil && follows(cursor, before.Cursor); !ok {
			return err
		}
		d := delta{SnapshotReader: s, tx: tx, before: before, next: before}
		d.next.Cursor = cursor
		ok, err = d.read()
		snapshot = d.next
		return err
	})
	return snapshot, ok && err == nil, err
}

// follows reports whether snapshot_changes contains all transactions between two cursors.
func follows(next, last models.SnapshotCursor) bool {
	age := next.ReadAt.Sub(last.ReadAt)
	return last.Seen != "" && last.ServerStart.Equal(next.ServerStart) && age >= 0 && age < maxCursorAge
}

// snapshotCursor returns the state that the transaction sees. Its time is correct only if this is the transaction's
// first query.
func snapshotCursor(tx *gorm.DB) (c models.SnapshotCursor, err error) {
	err = tx.Raw("SELECT pg_current_snapshot()::text AS seen, pg_postmaster_start_time() AS server_start, now() AS read_at").Scan(&c).Error
	return c, err
}

// SnapshotVersions returns the newest snapshot versions of the given projects, or of all projects if none are given.
// Projects that do not exist are missing.
func (s *SnapshotReader) SnapshotVersions(ctx context.Context, projectIDs ...int64) (map[int64]int64, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (map[int64]int64, error) {
		q := db.Select("id", "snapshot_version")
		if len(projectIDs) > 0 {
			q = q.Where("id IN ?", projectIDs)
		}
		projects, err := pg.All[models.Project](q)
		versions := make(map[int64]int64, len(projects))
		for _, p := range projects {
			versions[p.ID] = p.SnapshotVersion
		}
		return versions, err
	})
}

// ProjectKeys returns a project with only its ID, slug and UUID. It works even if other columns are damaged.
func (s *SnapshotReader) ProjectKeys(ctx context.Context, projectID int64) (models.Project, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.Project, error) {
		return unit.OneProject(db.Select("id", "slug", "uuid").Where("id = ?", projectID))
	})
}

// PruneSnapshotChanges deletes the rows of snapshot_changes that SnapshotSince no longer needs.
func (s *SnapshotReader) PruneSnapshotChanges(ctx context.Context) error {
	return s.db.Exec(ctx, "DELETE FROM snapshot_changes WHERE changed_at < now() - ?::interval", changesKeptFor)
}

// deletedInSnapshot is the number of deleted releases that a snapshot contains, so that devices learn not to run them.
const deletedInSnapshot = 50

// keyed narrows q to the records whose column, of the given type, is one of keys. The keys are passed as one array,
// because the query planner can see the length of an array, but not the length of a list in JSON.
func keyed(q *gorm.DB, column, typ string, keys []string) *gorm.DB {
	return q.Where(column+" = ANY (?::"+typ+"[])", pg.ArrayOf(keys))
}

// releasesOf returns a query for releases as snapshots contain them, in the order of NewestFirst.
func releasesOf(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Release{}).Omit("git_commit_hash", "git_branch", "git_author").
		Select("releases.*, branches.name AS branch_name, " + unit.LinkedFlagsColumn).
		Joins("JOIN branches ON branches.id = releases.branch_id").Order(releasestore.NewestFirst)
}

// blobsOf returns a query for the files of builds. The content type of a file comes from the first build that has the
// file; uses as a launch asset take precedence.
func blobsOf(tx *gorm.DB) *gorm.DB {
	return tx.Table("blobs").Select("blobs.*, blobs.variants = 'pending' AS variants_pending, first.content_type").
		Joins(`CROSS JOIN LATERAL (SELECT content_type FROM build_assets a WHERE a.project_id = blobs.project_id AND a.md5 = blobs.md5
			ORDER BY a.is_launch_asset DESC, a.build_id LIMIT 1) first`)
}

// slim removes data that devices do not get, and makes releases share equal strings.
func slim(r *models.Release) {
	r.GitCommitHash, r.GitBranch, r.GitAuthor = "", "", ""
	r.Platform, r.Kind = interned(r.Platform), interned(r.Kind)
	r.RuntimeVersion, r.BranchName, r.ReleaseMessage = interned(r.RuntimeVersion), interned(r.BranchName), interned(r.ReleaseMessage)
	if r.Channel != nil {
		*r.Channel = interned(*r.Channel)
	}
}

// interned returns the shared copy of a string.
func interned[T comparable](text T) T { return unique.Make(text).Value() }

// snapshotBuilds returns the builds that the releases serve. It reads the builds that are missing in before.
func snapshotBuilds(tx *gorm.DB, releases []*models.Release, before map[int64]*models.Build) (map[int64]*models.Build, error) {
	builds, missing := map[int64]*models.Build{}, []string{}
	for _, r := range models.Answers(releases) {
		if r.BuildID == nil || builds[*r.BuildID] != nil {
			continue
		}
		b := before[*r.BuildID]
		if b == nil {
			b = &models.Build{ID: *r.BuildID}
			missing = append(missing, strconv.FormatInt(b.ID, 10))
		}
		builds[b.ID] = b
	}
	if len(missing) == 0 {
		return builds, nil
	}
	rows, err := pg.All[models.Build](keyed(tx.Select("id", "project_id", "uuid", "platform", "runtime_version", "client_config"),
		"id", "bigint", missing))
	if err != nil {
		return nil, err
	}
	for i := range rows {
		*builds[rows[i].ID] = rows[i]
	}
	assets, err := pg.All[models.BuildAsset](keyed(tx, "build_id", "bigint", missing).Order("build_id, path COLLATE \"C\""))
	for _, a := range assets {
		b := builds[a.BuildID]
		b.Assets = append(b.Assets, a)
	}
	return builds, err
}

// readPatches reads the patches of files whose patches, releases or builds changed.
func (d *delta) readPatches() (err error) {
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
	// A change of one release can turn the bundle of another release into a target, or the opposite.
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

// maxBaseNames is the maximum number of releases per base in a snapshot, newest first. Devices that run an older
// release with the same bundle get the whole file.
const maxBaseNames = 100

// snapshotPatches returns the patches to the launch assets of builds, once for every update that has the base's bundle.
// They are ordered by target, base and that update. If contents, a list of MD5s, is not nil, it returns only patches to
// or from one of these files.
func snapshotPatches(tx *gorm.DB, projectID int64, builds map[int64]*models.Build, contents []string) ([]models.OfferedPatch, error) {
	targets := slices.Collect(maps.Keys(launchAssetsOf(builds)))
	offered := []models.OfferedPatch{}
	if len(targets) == 0 {
		return offered, nil
	}
	narrow := ""
	args := []any{maxBaseNames, projectID, models.PatchOffered, pg.ArrayOf(targets)}
	if contents != nil {
		only := pg.ArrayOf(contents)
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

// comparePatches defines the order of snapshotPatches.
func comparePatches(a, b models.OfferedPatch) int {
	return cmp.Or(cmp.Compare(a.TargetMD5, b.TargetMD5), cmp.Compare(a.BaseMD5, b.BaseMD5),
		cmp.Compare(a.BaseUpdate.String(), b.BaseUpdate.String()))
}

// launchAssetsOf returns the MD5s of the builds' launch assets.
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
