package snapshotstore

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/flagstore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Parts of snapshots. Migrations call follow_in_snapshots for each of them.
const (
	partBranches  = "branches"
	partChannels  = "channels"
	partOverrides = "user_overrides"
	partReleases  = "releases"
	partAliases   = "release_aliases"
	partBlobs     = "blobs"
	partPatches   = "patches"
	partFlags     = "flags"
	partSigning   = "signing"
)

// delta reads what has changed since a snapshot.
type delta struct {
	*SnapshotReader
	tx           *gorm.DB
	before, next models.ProjectSnapshot
	// changed contains the keys of changed records, by part.
	changed map[string][]string
}

// read completes next. done is false if everything has to be read instead.
func (d *delta) read() (done bool, err error) {
	id := d.before.Project.ID
	if d.next.Project, err = unit.OneProject(d.tx.Where("id = ?", id)); err != nil {
		return false, err
	}
	if err := d.setKeys(&d.next); err != nil {
		return false, err
	}
	if done, err = d.readChanges(); err != nil || !done {
		return false, err
	}
	if d.next.RolloutWorkflows, err = releasestore.OpenWorkflows(d.tx, id); err != nil {
		return false, err
	}
	for _, p := range []struct {
		part string
		read func(keys []string) error
	}{
		{partBranches, d.readBranches}, {partChannels, d.readChannels}, {partSigning, d.readSigning},
		{partOverrides, d.readOverrides}, {partReleases, d.readReleases}, {partFlags, d.readFlags},
		{partBlobs, d.readBlobs}, {partAliases, d.readAliases},
	} {
		if d.touched(p.part) {
			if err := p.read(d.changed[p.part]); err != nil {
				return false, err
			}
		}
	}
	return true, d.readPatches()
}

func (d *delta) readBranches([]string) (err error) {
	d.next.Branches, err = pg.All[models.Branch](d.tx.Where("project_id = ? AND deleted_at IS NULL", d.next.Project.ID).Order("id"))
	return err
}

func (d *delta) readChannels([]string) (err error) {
	d.next.Channels, err = pg.All[models.Channel](unit.SelectChannels(d.tx).
		Where("channels.project_id = ?", d.next.Project.ID).Order("channels.id"))
	return err
}

func (d *delta) readSigning([]string) (err error) {
	d.next.Signing, err = d.projects.SigningCredentials(d.tx, d.next.Project.ID)
	return err
}

// readChanges reads the keys of changes that the earlier snapshot has not seen. done is false if there are too many.
func (d *delta) readChanges() (done bool, err error) {
	seen := d.before.Cursor.Seen
	var changes []struct{ Part, Key string }
	err = d.tx.Raw(`SELECT DISTINCT part, key FROM snapshot_changes WHERE project_id = ?
		AND changed_tx >= pg_snapshot_xmin(?::pg_snapshot) AND NOT pg_visible_in_snapshot(changed_tx, ?::pg_snapshot) LIMIT ?`,
		d.before.Project.ID, seen, seen, maxDeltaChanges).Scan(&changes).Error
	d.changed = map[string][]string{}
	for _, c := range changes {
		d.changed[c.Part] = append(d.changed[c.Part], c.Key)
	}
	return len(changes) < maxDeltaChanges, err
}

func (d *delta) touched(part string) bool { return len(d.changed[part]) > 0 }

func (d *delta) readOverrides(keys []string) error {
	rows, err := pg.All[struct {
		UserID   string
		BranchID int64
	}](keyed(d.tx.Table("user_overrides").Select("user_id", "branch_id").Where("project_id = ?", d.next.Project.ID), "user_id", "text", keys))
	d.next.UserOverrides = make(map[string]int64, len(d.before.UserOverrides)+len(rows))
	maps.Copy(d.next.UserOverrides, d.before.UserOverrides)
	for _, user := range keys {
		delete(d.next.UserOverrides, user)
	}
	for _, o := range rows {
		d.next.UserOverrides[o.UserID] = o.BranchID
	}
	return err
}

// readReleases reads the changed releases, and the builds of all releases that devices may be served.
func (d *delta) readReleases(keys []string) error {
	q := releasesOf(d.tx).Where("releases.project_id = ?", d.next.Project.ID)
	rows, err := pg.All[*models.Release](keyed(q, "releases.id", "bigint", keys))
	if err != nil {
		return err
	}
	for _, r := range rows {
		slim(r)
	}
	changed := keySet(keys)
	d.next.Releases = withoutOldDeleted(merge(d.before.Releases, rows, models.NewestFirst,
		func(r *models.Release) bool { return changed[strconv.FormatInt(r.ID, 10)] }))
	d.next.Builds, err = snapshotBuilds(d.tx, d.next.Releases, d.before.Builds)
	return err
}

// withoutOldDeleted removes the deleted releases that are not among the newest deleted ones.
func withoutOldDeleted(releases []*models.Release) []*models.Release {
	var deleted []int64
	for _, r := range releases {
		if r.DeletedAt != nil {
			deleted = append(deleted, r.ID)
		}
	}
	if len(deleted) <= deletedInSnapshot {
		return releases
	}
	slices.Sort(deleted)
	oldest := deleted[len(deleted)-deletedInSnapshot]
	return slices.DeleteFunc(releases, func(r *models.Release) bool { return r.DeletedAt != nil && r.ID < oldest })
}

// readFlags reads all flags and segments, and the links from releases to flags.
func (d *delta) readFlags([]string) (err error) {
	id := d.next.Project.ID
	if d.next.Flags, err = flagstore.SnapshotFlags(d.tx, []int64{id}); err != nil {
		return err
	}
	if d.next.Segments, err = pg.All[models.Segment](d.tx.Where("project_id = ?", id).Order("id")); err != nil {
		return err
	}
	linking, err := pg.All[models.Release](d.tx.Model(&models.Release{}).Select("releases.id", unit.LinkedFlagsColumn).
		Where("releases.id IN (SELECT release_id FROM release_flags WHERE flag_id IN (SELECT id FROM flags WHERE project_id = ?))", id))
	if err != nil {
		return err
	}
	links := make(map[int64][]models.LinkedFlag, len(linking))
	for _, r := range linking {
		links[r.ID] = r.LinkedFlags
	}
	d.next.Releases = slices.Clone(d.next.Releases)
	for i, r := range d.next.Releases {
		if !reflect.DeepEqual(r.LinkedFlags, links[r.ID]) {
			relinked := *r
			relinked.LinkedFlags = links[r.ID]
			d.next.Releases[i] = &relinked
		}
	}
	return nil
}

// readBlobs reads the changed files.
func (d *delta) readBlobs(keys []string) error {
	q := blobsOf(d.tx).Where("blobs.project_id = ?", d.next.Project.ID)
	rows, err := pg.All[models.Blob](keyed(q, "blobs.md5", "text", keys))
	if err != nil {
		return err
	}
	gone := keySet(keys)
	changed := rows[:0]
	for _, b := range rows {
		delete(gone, b.MD5)
		if known, ok := d.before.Blobs.Get(b.MD5); !ok || !reflect.DeepEqual(known, b) {
			changed = append(changed, b)
		}
	}
	maps.DeleteFunc(gone, func(md5 string, _ bool) bool {
		_, known := d.before.Blobs.Get(md5)
		return !known
	})
	d.next.Blobs, err = d.before.Blobs.With(changed, slices.Collect(maps.Keys(gone)))
	return err
}

func (d *delta) readAliases(keys []string) error {
	rows, err := pg.All[models.ReleaseAlias](keyed(d.tx.Where("project_id = ?", d.next.Project.ID), "update_uuid", "uuid", keys).
		Order("created_at"))
	if err != nil {
		return err
	}
	changed := keySet(keys)
	d.next.Aliases = merge(d.before.Aliases, rows,
		func(a, b models.ReleaseAlias) int { return a.CreatedAt.Compare(b.CreatedAt) },
		func(a models.ReleaseAlias) bool { return changed[a.UpdateUUID.String()] })
	return nil
}

func keySet(keys []string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// merge returns list with the changed records replaced by rows. Both slices are ordered by compare.
func merge[T any](list, rows []T, compare func(a, b T) int, changed func(T) bool) []T {
	out := make([]T, 0, len(list)+len(rows))
	for _, kept := range list {
		if changed(kept) {
			continue
		}
		for len(rows) > 0 && compare(rows[0], kept) < 0 {
			out, rows = append(out, rows[0]), rows[1:]
		}
		out = append(out, kept)
	}
	return append(out, rows...)
}
