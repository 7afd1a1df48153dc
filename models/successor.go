package models

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Successor returns the release that replaces bad, which was rolled back. older is the newest release before bad that every
// device gets; nil means the embedded update. The successor has the salt and the highest percentage of bad, so that it reaches
// exactly the devices that could have bad. It has the place of bad, so that a newer release that still rolls out stays newer.
// groupID is the group that the successors of one publish share.
func Successor(bad, older *Release, groupID uuid.UUID) Release {
	place := bad.Place()
	r := Release{
		ProjectID:           bad.ProjectID,
		UpdateUUID:          uuid.New(),
		GroupID:             groupID,
		BranchID:            bad.BranchID,
		BranchName:          bad.BranchName,
		Channel:             bad.Channel,
		Platform:            bad.Platform,
		RuntimeVersion:      bad.RuntimeVersion,
		IsEnabled:           true,
		RolloutPercentage:   bad.ReachedPercentage,
		ShareSalt:           bad.ShareSalt,
		Kind:                KindRollbackToEmbedded,
		RolledBackUpdateIDs: []int64{bad.ID},
		PlaceAt:             &place,
	}
	// If older is itself a rollback to the embedded update, so is the successor.
	if older != nil && older.Kind == KindUpdate {
		r.Kind = KindUpdate
		r.Repeat(older)
	}
	return r
}

// Repeat copies to r everything in original that determines what a device gets.
func (r *Release) Repeat(original *Release) {
	r.BuildID = original.BuildID
	r.RepublishedFromID, r.RepublishedFromMessage = &original.ID, &original.ReleaseMessage
	r.IsCritical = original.IsCritical
	r.ReleaseMessage = original.ReleaseMessage
	r.GitCommitHash = original.GitCommitHash
	r.GitBranch, r.GitAuthor = original.GitBranch, original.GitAuthor
	r.AssetCount = original.AssetCount
	r.SizeBytes = original.SizeBytes
}

// ReleaseAlias is another update ID of a release, with a later commit time. A client rejects updates with an earlier commit
// time than its current update. If a device should get an existing release after a later rollback, Waft therefore serves the
// release under its newest alias.
type ReleaseAlias struct {
	UpdateUUID           uuid.UUID `gorm:"column:update_uuid;primaryKey"`
	ProjectID, ReleaseID int64
	// OriginalUUID is the release's own UpdateUUID. Health and exposures count under this UUID.
	OriginalUUID uuid.UUID
	// RollbackID is the ID of the release that made the alias necessary.
	RollbackID int64
	// CreatedAt is the commit time: whole milliseconds, strictly increasing within the project.
	CreatedAt time.Time
}

// Shadowed returns the live releases that need a later commit time once r is published with the newest commit time. They are
// sorted by place, oldest first. After a rollback to the embedded update they are all updates of its platform and runtime
// version on any branch, because devices keep the rollback's commit time when they change branches. Otherwise they are the
// releases of the same branch that are newer than r by place.
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

// Restamp returns an alias for each release that r shadows, with commit times after clock.
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
