package models

import "github.com/google/uuid"

// Successor is what takes the place of the reverted release bad: older, the newest
// release before it that every device gets, once more, or with nil the order to
// return to the embedded update. It reaches the devices that could have
// received bad and no others, having bad's salt and the greatest share that bad
// reached. It stands where bad stood: a newer release that is still rolling out
// keeps its devices, and gets more.
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
