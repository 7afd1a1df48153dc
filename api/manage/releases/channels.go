package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Channels stores channels.
type Channels interface {
	// CreateChannel also creates the branch if it does not exist.
	CreateChannel(ctx context.Context, projectID int64, actor models.Actor, n models.NewChannel) (models.Channel, error)
	Channel(ctx context.Context, projectID int64, name string) (models.Channel, error)
	ListChannels(ctx context.Context, projectID int64, page models.Page) ([]models.Channel, error)
}

var (
	listChannelsDoc = rest.Doc(TagChannels, "listChannels", "List channels",
		"Each channel with the branch that it points to.")
	getChannelDoc    = rest.Doc(TagChannels, "getChannel", "Get a channel", "Returns the channel with the branch that it points to.")
	createChannelDoc = rest.Doc(TagChannels, "createChannel", "Create a channel",
		"Also creates the branch if it does not exist.", http.StatusCreated)
	PatchChannelDoc = rest.Doc(TagChannels, "patchChannel", "Change a channel",
		"Fields that are absent keep their value. To promote a branch, point the channel to it. To serve a percentage of the "+
			"devices from another branch, set rolloutBranchName and rolloutPercentage together. To end the "+
			"branch rollout, set rolloutBranchName to null.")
	DeleteChannelDoc = rest.Doc(TagChannels, "deleteChannel", "Delete a channel",
		"Devices of the channel then get 404 and keep the update that they run. The branch is kept.", http.StatusConflict)
)

func (h *Handlers) getChannel(ctx context.Context, in *rest.NameInput) (*rest.Output[Channel], error) {
	c, err := h.Channels.Channel(ctx, rest.ProjectOf(ctx), in.Name)
	return &rest.Output[Channel]{Body: ChannelRecord(c)}, err
}

type createChannelBody struct {
	Name       string  `json:"name" doc:"Name: 1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
	BranchName *string `json:"branchName,omitempty" doc:"Name of the branch that devices get; by default the branch with the channel's name."`
}

func (b createChannelBody) Model() models.NewChannel {
	n := models.NewChannel{Name: b.Name, BranchName: b.Name}
	if b.BranchName != nil {
		n.BranchName = *b.BranchName
	}
	return n
}

// Resolve does not report errors in a branch name that was derived from the channel's name.
func (b createChannelBody) Resolve(huma.Context) []error {
	n := b.Model()
	if b.BranchName == nil {
		n.BranchName = models.DefaultStreams[0]
	}
	return rest.BodyErrors(n.Validate())
}

func (createChannelBody) Example() any {
	return createChannelBody{Name: "beta", BranchName: new("next")}
}

type patchChannelBody struct {
	BranchName        rest.Patch[string]  `json:"branchName,omitzero" doc:"Name of the branch that devices get."`
	RolloutBranchName rest.Patch[string]  `json:"rolloutBranchName,omitzero" nullable:"true" doc:"Name of the branch that a percentage of the devices gets; null ends the branch rollout."`
	RolloutPercentage rest.Patch[float64] `json:"rolloutPercentage,omitzero" nullable:"true" minimum:"0" maximum:"100" doc:"Percentage of devices that are served from the rollout branch."`
	MinRuntimeVersion rest.Patch[string]  `json:"minRuntimeVersion,omitzero" nullable:"true" doc:"Minimum runtime version; devices below it must update in the app store. Null for no minimum."`
	IsPaused          rest.Patch[bool]    `json:"isPaused,omitzero" doc:"Whether updates are stopped for all devices of the channel."`
	IsProtected       rest.Patch[bool]    `json:"isProtected,omitzero" doc:"Whether the channel is protected: only admins, or others with approval, can change what its devices get. Set by admins only."`
	RequiredApprovals rest.Patch[int]     `json:"requiredApprovals,omitzero" minimum:"0" maximum:"5" doc:"Number of people who must approve a change of what a protected channel's devices get. From 1 on, changes by everyone wait. Set by admins only."`
}

func (b patchChannelBody) model() (models.ChannelPatch, models.Problems) {
	var p models.Problems
	patch := models.ChannelPatch{
		BranchName:        b.BranchName.NotNull(&p, "branchName"),
		RolloutBranchName: b.RolloutBranchName.Nullable(),
		RolloutPercentage: b.RolloutPercentage.Nullable(),
		MinRuntimeVersion: b.MinRuntimeVersion.Nullable(),
		IsPaused:          b.IsPaused.NotNull(&p, "isPaused"),
		IsProtected:       b.IsProtected.NotNull(&p, "isProtected"),
		RequiredApprovals: b.RequiredApprovals.NotNull(&p, "requiredApprovals"),
	}
	if b.RolloutBranchName.Set && b.RolloutBranchName.Value == nil && !b.RolloutPercentage.Set {
		patch.RolloutPercentage.Set = true // the percentage is removed together with its branch
	}
	return patch, p
}

func (b patchChannelBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.model()) }

func (patchChannelBody) Example() any {
	return patchChannelBody{RolloutBranchName: rest.PatchTo("next"), RolloutPercentage: rest.PatchTo(12.5)}
}

type patchChannelInput struct {
	rest.NamePath
	Body patchChannelBody
}

// PatchChannel changes the channel in the path.
func (h *Handlers) PatchChannel(ctx context.Context, in *patchChannelInput) (*rest.Output[Channel], error) {
	patch, _ := in.Body.model()
	c, err := operations.Do(ctx, h.Operations, operations.PatchChannel, rest.AuthorOf(ctx),
		operations.ChannelChange{ChannelNamed: operations.ChannelNamed{Channel: in.Name}, Change: patch})
	return &rest.Output[Channel]{Body: ChannelRecord(c)}, err
}

// DeleteChannel deletes the channel in the path.
func (h *Handlers) DeleteChannel(ctx context.Context, in *rest.NameInput) (*struct{}, error) {
	_, err := operations.Do(ctx, h.Operations, operations.DeleteChannel, rest.AuthorOf(ctx), operations.ChannelNamed{Channel: in.Name})
	return nil, err
}

// Channel is the entry point of devices: a device asks for updates on one channel.
type Channel struct {
	rest.Tagged
	ID                int64     `json:"id"`
	Name              string    `json:"name"`
	BranchName        string    `json:"branchName" doc:"Name of the branch that devices get."`
	RolloutBranchName *string   `json:"rolloutBranchName" doc:"Name of the branch that a percentage of the devices gets instead; otherwise null."`
	RolloutPercentage *float64  `json:"rolloutPercentage" doc:"Percentage of devices that are served from the rollout branch, 0 to 100; null without a rollout branch."`
	MinRuntimeVersion *string   `json:"minRuntimeVersion" doc:"Minimum runtime version; devices below it must update in the app store. Null for no minimum."`
	IsPaused          bool      `json:"isPaused" doc:"Whether updates are stopped for all devices of the channel."`
	IsProtected       bool      `json:"isProtected" doc:"Whether the channel is protected: only admins, or others with approval, can change what its devices get."`
	RequiredApprovals int       `json:"requiredApprovals" doc:"Number of people who must approve a change of what a protected channel's devices get, 0 to 5."`
	CreatedAt         rest.Time `json:"createdAt"`
	UpdatedAt         rest.Time `json:"updatedAt"`
}

// ChannelRecord returns the API's representation of a channel.
func ChannelRecord(c models.Channel) Channel {
	return Channel{
		Tagged: rest.Tagged{ETag: c.ETag(c.ID)},
		ID:     c.ID, Name: c.Name, BranchName: c.BranchName, RolloutBranchName: c.RolloutBranchName,
		RolloutPercentage: c.RolloutPercentage, MinRuntimeVersion: c.MinRuntimeVersion, IsPaused: c.IsPaused,
		IsProtected: c.IsProtected, RequiredApprovals: c.RequiredApprovals, CreatedAt: rest.Time{Time: c.CreatedAt},
		UpdatedAt: rest.Time{Time: c.UpdatedAt},
	}
}

func (Channel) Example() any {
	return Channel{
		ID: 6, Name: "production", BranchName: "production", RolloutBranchName: new("next"), RolloutPercentage: new(12.5),
		MinRuntimeVersion: new("1.2.0"), CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

func (r Channel) RecordID() int64 { return r.ID }
