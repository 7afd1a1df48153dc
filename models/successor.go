package models

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Successor returns the release that replaces the reverted release bad. older is the newest release
// before bad that every device gets; nil means the embedded update. The successor has bad's salt,
// greatest share and place, so that it reaches exactly the devices that could have bad, and a newer
// release that still rolls out stays in front of it.
func Successor(bad, older *Release) Release {
	place := bad.Place()
	r := Release{
		ProjectID:           bad.ProjectID,
		UpdateUUID:          uuid.New(),
		GroupID:             uuid.New(),
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
	// When older is itself a rollback to the embedded update, so is its successor.
	if older != nil && older.Kind == KindUpdate {
		r.Kind = KindUpdate
		r.Repeat(older)
	}
	return r
}

// Repeat makes r a repetition of original in all that a device gets.
func (r *Release) Repeat(original *Release) {
	r.BuildID = original.BuildID
	r.RepublishedFromID = &original.ID
	r.IsCritical = original.IsCritical
	r.ReleaseMessage = original.ReleaseMessage
	r.GitCommitHash = original.GitCommitHash
	r.GitBranch = original.GitBranch
	r.AssetCount = original.AssetCount
	r.SizeBytes = original.SizeBytes
}

// ReleaseAlias is a second update id of a release, with a later commit time. A client refuses updates
// committed before the one that it has, so a release that is to follow a later rollback is served
// under its newest alias.
type ReleaseAlias struct {
	UpdateUUID           uuid.UUID `gorm:"column:update_uuid;primaryKey"`
	ProjectID, ReleaseID int64
	// OriginalUUID is the release's own UpdateUUID, under which health and exposures count.
	OriginalUUID uuid.UUID
	// RollbackID is the release that made the alias necessary.
	RollbackID int64
	// CreatedAt is its commit time: whole milliseconds, strictly increasing within the project.
	CreatedAt time.Time
}

// Shadowed returns the live releases, oldest place first, that need a later commit time once r is
// published with the newest one. After a rollback to the embedded update these are all updates of its
// platform and runtime version on any branch, since devices keep the rollback's commit time when they
// change branches. Otherwise they are the newer releases of the branch that r is placed behind.
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

// Restamp makes an alias of each release that r shadows, with commit times after clock.
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
