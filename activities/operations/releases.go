package operations

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// An Of is a change of the record with the ID.
type Of[C any] struct {
	ID     int64 `json:"id"`
	Change C     `json:"change"`
}

// Validate checks the change.
func (o Of[C]) Validate() error { return validated(o.Change) }

// validated validates an input if it has a method for that.
func validated(in any) error {
	if checked, ok := in.(interface{ Validate() error }); ok {
		return checked.Validate()
	}
	return nil
}

// Record identifies a record by its ID.
type Record struct {
	ID int64 `json:"id"`
}

// ChannelNamed identifies a channel by its name.
type ChannelNamed struct {
	Channel string `json:"channel"`
}

// ChannelChange is a change of a channel.
type ChannelChange struct {
	ChannelNamed
	Change models.ChannelPatch `json:"change"`
}

// Validate checks the change.
func (c ChannelChange) Validate() error { return c.Change.Validate() }

// Nothing is the input of an operation without input, and the result of an operation without a result.
type Nothing struct{}

// The operations on releases, channels and user overrides.
var (
	PublishUpdate = operation("update.publish", 1,
		func(ctx context.Context, on *Operations, by Author, in models.Publish) (models.Release, error) {
			return on.Releases.Publish(ctx, by.ProjectID, by.Actor, in)
		})
	PatchUpdate = operation("update.patch", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.ReleasePatch]) (models.Release, error) {
			return on.Releases.UpdateRelease(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	DeleteUpdate = operation("update.delete", 1,
		func(ctx context.Context, on *Operations, by Author, in Record) (Nothing, error) {
			return Nothing{}, on.Releases.DeleteRelease(ctx, by.ProjectID, by.Actor, in.ID)
		})
	RepublishUpdate = operation("update.republish", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.Republish]) (models.Republished, error) {
			return on.Releases.Republish(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	RollBackChannel = operation("update.rollback", 1,
		func(ctx context.Context, on *Operations, by Author, in models.Rollback) (models.Release, error) {
			return on.Releases.Rollback(ctx, by.ProjectID, by.Actor, in)
		})
	PatchChannel = operation("channel.update", 1,
		func(ctx context.Context, on *Operations, by Author, in ChannelChange) (models.Channel, error) {
			return on.Releases.UpdateChannel(ctx, by.ProjectID, by.Actor, in.Channel, in.Change)
		})
	DeleteChannel = operation("channel.delete", 1,
		func(ctx context.Context, on *Operations, by Author, in ChannelNamed) (Nothing, error) {
			return Nothing{}, on.Releases.DeleteChannel(ctx, by.ProjectID, by.Actor, in.Channel)
		})
	CreateUserOverride = operation("user_override.create", 1,
		func(ctx context.Context, on *Operations, by Author, in models.NewUserOverride) (models.UserOverride, error) {
			return on.Releases.CreateUserOverride(ctx, by.ProjectID, by.Actor, in)
		})
	DeleteUserOverride = operation("user_override.delete", 1,
		func(ctx context.Context, on *Operations, by Author, in Record) (Nothing, error) {
			return Nothing{}, on.Releases.DeleteUserOverride(ctx, by.ProjectID, by.Actor, in.ID)
		})
)
