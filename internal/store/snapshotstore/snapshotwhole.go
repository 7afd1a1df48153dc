package snapshotstore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/flagstore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Snapshot returns all data of a project that determines what devices are served. All of it is from the same moment.
func (s *SnapshotReader) Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error) {
	found, err := s.Snapshots(ctx, projectID)
	if err == nil && len(found) == 0 {
		err = models.Errorf(models.CodeNotFound, "this project does not exist")
	}
	if err != nil {
		return models.ProjectSnapshot{}, err
	}
	return found[0], nil
}

// Snapshots returns the snapshots of several projects, like Snapshot. Projects that do not exist are missing. The
// number of queries depends neither on the number of projects nor on their size, except for projects with code signing
// or binary patches.
func (s *SnapshotReader) Snapshots(ctx context.Context, projectIDs ...int64) ([]models.ProjectSnapshot, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.ProjectSnapshot, error) {
		w := wholes{SnapshotReader: s, tx: tx, ids: projectIDs, at: make(map[int64]*models.ProjectSnapshot, len(projectIDs))}
		return w.read()
	})
}

// wholes reads whole projects, with one query per kind of record.
type wholes struct {
	*SnapshotReader
	tx  *gorm.DB
	ids []int64
	at  map[int64]*models.ProjectSnapshot
}

func (w *wholes) read() ([]models.ProjectSnapshot, error) {
	cursor, err := snapshotCursor(w.tx)
	if err != nil {
		return nil, err
	}
	projects, err := pg.All[models.Project](w.tx.Where("id IN ?", w.ids).Order("id"))
	if err != nil {
		return nil, err
	}
	list := make([]models.ProjectSnapshot, len(projects))
	for i, p := range projects {
		list[i] = models.ProjectSnapshot{
			Project: p, Cursor: cursor, Branches: []models.Branch{}, Channels: []models.Channel{}, UserOverrides: map[string]int64{},
			Releases: []*models.Release{}, Builds: map[int64]*models.Build{}, Aliases: []models.ReleaseAlias{},
			RolloutWorkflows: map[int64]string{}, Flags: []models.Flag{}, Segments: []models.Segment{}, Patches: []models.OfferedPatch{},
		}
		if err := w.setKeys(&list[i]); err != nil {
			return nil, err
		}
		w.at[p.ID] = &list[i]
	}
	for _, part := range []func() error{
		w.branches, w.channels, w.signing, w.overrides, w.releases, w.workflows, w.aliases, w.blobs, w.flags, w.segments, w.patches,
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// setKeys decrypts the key for hashing networks, which also hashes device IDs if the project is set to do that.
func (s *SnapshotReader) setKeys(p *models.ProjectSnapshot) (err error) {
	p.NetworkKey, err = s.units.HashKey(p.Project)
	p.HashKey = nil
	if p.Project.HashIDs {
		p.HashKey = p.NetworkKey
	}
	return err
}

// spread adds each row that q finds to the list of its project.
func spread[T any](w *wholes, q *gorm.DB, project func(T) int64, list func(*models.ProjectSnapshot) *[]T) error {
	rows, err := pg.All[T](q)
	for _, row := range rows {
		to := list(w.at[project(row)])
		*to = append(*to, row)
	}
	return err
}

func (w *wholes) branches() error {
	return spread(w, w.tx.Where("project_id IN ? AND deleted_at IS NULL", w.ids).Order("id"),
		func(b models.Branch) int64 { return b.ProjectID }, func(p *models.ProjectSnapshot) *[]models.Branch { return &p.Branches })
}

func (w *wholes) channels() error {
	return spread(w, unit.SelectChannels(w.tx).Where("channels.project_id IN ?", w.ids).Order("channels.id"),
		func(c models.Channel) int64 { return c.ProjectID }, func(p *models.ProjectSnapshot) *[]models.Channel { return &p.Channels })
}

func (w *wholes) segments() error {
	return spread(w, w.tx.Where("project_id IN ?", w.ids).Order("id"),
		func(s models.Segment) int64 { return s.ProjectID }, func(p *models.ProjectSnapshot) *[]models.Segment { return &p.Segments })
}

func (w *wholes) aliases() error {
	return spread(w, w.tx.Where("project_id IN ?", w.ids).Order("created_at"),
		func(a models.ReleaseAlias) int64 { return a.ProjectID },
		func(p *models.ProjectSnapshot) *[]models.ReleaseAlias { return &p.Aliases })
}

func (w *wholes) signing() error {
	keys, err := pg.All[models.SigningKey](w.tx.Where("project_id IN ?", w.ids))
	if err != nil {
		return err
	}
	for _, k := range keys {
		if w.at[k.ProjectID].Signing, err = w.projects.Credentials(k); err != nil {
			return err
		}
	}
	return nil
}

func (w *wholes) overrides() error {
	rows, err := pg.All[struct {
		ProjectID int64
		UserID    string
		BranchID  int64
	}](w.tx.Table("user_overrides").Select("project_id", "user_id", "branch_id").Where("project_id IN ?", w.ids))
	for _, o := range rows {
		w.at[o.ProjectID].UserOverrides[o.UserID] = o.BranchID
	}
	return err
}

// releases reads all live releases and, for each project, the newest deleted ones. It also reads the builds of the
// releases that devices may be served.
func (w *wholes) releases() error {
	rows, err := pg.All[*models.Release](releasesOf(w.tx).Where("releases.project_id IN ?", w.ids).
		Where(`(releases.deleted_at IS NULL OR releases.id IN (
			SELECT d.id FROM projects p CROSS JOIN LATERAL (
				SELECT id FROM releases WHERE project_id = p.id AND deleted_at IS NOT NULL ORDER BY id DESC LIMIT ?) d
			WHERE p.id IN ?))`, deletedInSnapshot, w.ids))
	if err != nil {
		return err
	}
	for _, r := range rows {
		slim(r)
		p := w.at[r.ProjectID]
		p.Releases = append(p.Releases, r)
	}
	builds, err := snapshotBuilds(w.tx, rows, nil)
	for id, b := range builds {
		w.at[b.ProjectID].Builds[id] = b
	}
	return err
}

func (w *wholes) workflows() error {
	var open []struct {
		ProjectID, UpdateID int64
		WorkflowID          string
	}
	err := w.tx.Table("rollout_executions").Select("project_id, update_id, workflow_id").
		Where("project_id IN ? AND status IN ?", w.ids, releasestore.OpenStatuses).Find(&open).Error
	for _, e := range open {
		w.at[e.ProjectID].RolloutWorkflows[e.UpdateID] = e.WorkflowID
	}
	return err
}

func (w *wholes) blobs() error {
	rows, err := pg.All[struct {
		ProjectID int64
		models.Blob
	}](blobsOf(w.tx).Where("blobs.project_id IN ?", w.ids))
	if err != nil {
		return err
	}
	found := make(map[int64][]models.Blob, len(w.ids))
	for _, b := range rows {
		found[b.ProjectID] = append(found[b.ProjectID], b.Blob)
	}
	for id, blobs := range found {
		if w.at[id].Blobs, err = (models.Blobs{}).With(blobs, nil); err != nil {
			return err
		}
	}
	return nil
}

func (w *wholes) flags() error {
	flags, err := flagstore.SnapshotFlags(w.tx, w.ids)
	for _, f := range flags {
		p := w.at[f.ProjectID]
		p.Flags = append(p.Flags, f)
	}
	return err
}

func (w *wholes) patches() error {
	var having []int64
	offered := w.tx.Table("patches").Where("project_id IN ? AND status = ?", w.ids, models.PatchOffered)
	err := offered.Distinct().Pluck("project_id", &having).Error
	if err != nil {
		return err
	}
	for _, id := range having {
		if w.at[id].Patches, err = snapshotPatches(w.tx, id, w.at[id].Builds, nil); err != nil {
			return err
		}
	}
	return nil
}
