package models

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// ReleaseAlias is another name and commit time of a release: a client that returned
// to the embedded update by a later rollback refuses whatever was committed
// before that. Under the newest alias the same release is served as if it were new;
// a device that runs it under any of its names runs it.
type ReleaseAlias struct {
	// UpdateUUID is what clients know the release by under this alias.
	UpdateUUID uuid.UUID `gorm:"column:update_uuid;primaryKey"`
	ProjectID  int64
	ReleaseID  int64
	// OriginalUUID is the release's own UpdateUUID, by which all else counts it.
	OriginalUUID uuid.UUID
	// RollbackID is the release that made the alias necessary.
	RollbackID int64
	// CreatedAt is the commit time under this alias: whole milliseconds, strictly
	// increasing over the project's releases and aliases.
	CreatedAt time.Time
}

// Shadowed are those of the live releases, in the order of their places, that need
// a new commit time once r is published at the end of the project's clock, so that
// clients go on to take them. After a rollback to the embedded update these are all
// updates of its platform and runtime version, whatever their branch: a device
// that followed the rollback has its commit time. Where r is to stand behind newer releases of
// its branch, they are these.
func Shadowed(r *Release, live []Release) []*Release {
	var shadowed []*Release
	for i := range live {
		l := &live[i]
		if l.ID == r.ID || l.Kind != KindUpdate || l.Platform != r.Platform || l.RuntimeVersion != r.RuntimeVersion {
			continue
		}
		if r.Kind == KindRollbackToEmbedded || l.BranchID == r.BranchID && NewestFirst(l, r) < 0 {
			shadowed = append(shadowed, l)
		}
	}
	slices.SortFunc(shadowed, func(a, b *Release) int { return NewestFirst(b, a) })
	return shadowed
}

// Restamp makes an alias of each release that r shadows, with the commit times that
// follow on clock, the project's last one.
func Restamp(r *Release, shadowed []*Release, clock time.Time) []ReleaseAlias {
	aliases := make([]ReleaseAlias, len(shadowed))
	for i, s := range shadowed {
		clock = clock.Add(time.Millisecond)
		aliases[i] = ReleaseAlias{
			UpdateUUID: uuid.New(), ProjectID: r.ProjectID, ReleaseID: s.ID, OriginalUUID: s.UpdateUUID,
			RollbackID: r.ID, CreatedAt: clock,
		}
	}
	return aliases
}
