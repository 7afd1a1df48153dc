package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Channels stores channels.
type Channels interface {
	// CreateChannel also creates the branch if it does not exist.
	CreateChannel(ctx context.Context, projectID int64, actor models.Actor, n models.NewChannel) (models.Channel, error)
	Channel(ctx context.Context, projectID int64, name string) (models.Channel, error)
	ListChannels(ctx context.Context, projectID int64, page models.Page) ([]models.Channel, error)
	UpdateChannel(
		ctx context.Context, projectID int64, actor models.Actor, name string, patch models.ChannelPatch,
	) (models.Channel, error)
	DeleteChannel(ctx context.Context, projectID int64, actor models.Actor, name string) error
}

var (
	listChannelsDoc = doc(tagChannels, "listChannels", "List channels",
		"Each channel with the branch that it points to.")
	getChannelDoc    = doc(tagChannels, "getChannel", "Get a channel", "With the branch that it points to.")
	createChannelDoc = doc(tagChannels, "createChannel", "Create a channel",
		"Creates the branch too if it does not exist.", http.StatusCreated)
	patchChannelDoc = doc(tagChannels, "patchChannel", "Change a channel",
		"Absent fields keep their value. Promote a branch by pointing the channel to it. To serve a share of the "+
			"devices from another branch, set rolloutBranchName and rolloutPercentage together; null for "+
			"rolloutBranchName ends the branch rollout.")
	deleteChannelDoc = doc(tagChannels, "deleteChannel", "Delete a channel",
		"Devices that ask for it get 404 and keep the update that they run. The branch stays.", http.StatusConflict)
)

func (h *ReleasesHandlers) getChannel(ctx context.Context, in *nameInput) (*output[Channel], error) {
	c, err := h.Channels.Channel(ctx, projectOf(ctx), in.Name)
	return &output[Channel]{channelRecord(c)}, err
}

type createChannelBody struct {
	Name       string  `json:"name" doc:"1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
	BranchName *string `json:"branchName,omitempty" doc:"The branch that devices get; the one of the channel's own name when absent."`
}

func (b createChannelBody) model() models.NewChannel {
	n := models.NewChannel{Name: b.Name, BranchName: b.Name}
	if b.BranchName != nil {
		n.BranchName = *b.BranchName
	}
	return n
}

// Resolve does not report a branch name that was taken from the channel's name.
func (b createChannelBody) Resolve(huma.Context) []error {
	n := b.model()
	if b.BranchName == nil {
		n.BranchName = models.DefaultStreams[0]
	}
	return bodyErrors(n.Validate())
}

func (createChannelBody) example() any {
	return createChannelBody{Name: "beta", BranchName: new("next")}
}

type patchChannelBody struct {
	BranchName        Patch[string]  `json:"branchName,omitzero" doc:"The branch that devices get."`
	RolloutBranchName Patch[string]  `json:"rolloutBranchName,omitzero" nullable:"true" doc:"The branch of a share of the devices; null ends the branch rollout."`
	RolloutPercentage Patch[float64] `json:"rolloutPercentage,omitzero" nullable:"true" minimum:"0" maximum:"100" doc:"That share."`
	MinRuntimeVersion Patch[string]  `json:"minRuntimeVersion,omitzero" nullable:"true" doc:"Devices below it must update in the app store; null for none."`
	IsPaused          Patch[bool]    `json:"isPaused,omitzero" doc:"True stops updates for all devices of the channel."`
	IsProtected       Patch[bool]    `json:"isProtected,omitzero" doc:"Whether only admins, and others with approval, change what its devices get. For admins."`
	RequiredApprovals Patch[int]     `json:"requiredApprovals,omitzero" minimum:"0" maximum:"5" doc:"How many people must approve such a change of a protected channel; from 1 on everybody's changes wait. For admins."`
}

func (b patchChannelBody) model() (models.ChannelPatch, models.Problems) {
	var p models.Problems
	patch := models.ChannelPatch{
		BranchName:        b.BranchName.notNull(&p, "branchName"),
		RolloutBranchName: b.RolloutBranchName.nullable(),
		RolloutPercentage: b.RolloutPercentage.nullable(),
		MinRuntimeVersion: b.MinRuntimeVersion.nullable(),
		IsPaused:          b.IsPaused.notNull(&p, "isPaused"),
		IsProtected:       b.IsProtected.notNull(&p, "isProtected"),
		RequiredApprovals: b.RequiredApprovals.notNull(&p, "requiredApprovals"),
	}
	if b.RolloutBranchName.set && b.RolloutBranchName.value == nil && !b.RolloutPercentage.set {
		patch.RolloutPercentage.Set = true // the share ends with its branch
	}
	return patch, p
}

func (b patchChannelBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchChannelBody) example() any {
	return patchChannelBody{RolloutBranchName: patchTo("next"), RolloutPercentage: patchTo(12.5)}
}

type patchChannelInput struct {
	NamePath
	Body patchChannelBody
}

func (h *ReleasesHandlers) patchChannel(ctx context.Context, in *patchChannelInput) (*output[Channel], error) {
	patch, _ := in.Body.model()
	c, err := h.Channels.UpdateChannel(ctx, projectOf(ctx), actorOf(ctx), in.Name, patch)
	return &output[Channel]{channelRecord(c)}, err
}

// Channel is what a device connects to.
type Channel struct {
	ID                int64    `json:"id"`
	Name              string   `json:"name"`
	BranchName        string   `json:"branchName" doc:"The branch that devices get."`
	RolloutBranchName *string  `json:"rolloutBranchName" doc:"The branch that a share of the devices gets instead, else null."`
	RolloutPercentage *float64 `json:"rolloutPercentage" doc:"That share, 0 to 100, null without a rollout branch."`
	MinRuntimeVersion *string  `json:"minRuntimeVersion" doc:"Devices below it must update in the app store; null for none."`
	IsPaused          bool     `json:"isPaused" doc:"Whether updates are stopped for all devices of the channel."`
	IsProtected       bool     `json:"isProtected" doc:"Whether only admins, and others with approval, change what its devices get."`
	RequiredApprovals int      `json:"requiredApprovals" doc:"How many people must approve such a change of a protected channel, 0 to 5."`
	CreatedAt         Time     `json:"createdAt"`
	UpdatedAt         Time     `json:"updatedAt"`
}

func channelRecord(c models.Channel) Channel {
	return Channel{
		ID: c.ID, Name: c.Name, BranchName: c.BranchName, RolloutBranchName: c.RolloutBranchName,
		RolloutPercentage: c.RolloutPercentage, MinRuntimeVersion: c.MinRuntimeVersion, IsPaused: c.IsPaused,
		IsProtected: c.IsProtected, RequiredApprovals: c.RequiredApprovals, CreatedAt: Time{c.CreatedAt}, UpdatedAt: Time{c.UpdatedAt},
	}
}

func (Channel) example() any {
	return Channel{
		ID: 6, Name: "production", BranchName: "production", RolloutBranchName: new("next"), RolloutPercentage: new(12.5),
		MinRuntimeVersion: new("1.2.0"), CreatedAt: exampleTime, UpdatedAt: exampleTime,
	}
}

func (r Channel) recordID() int64 { return r.ID }

func (r Channel) version() any { return r }

func (h *ReleasesHandlers) currentChannel(ctx context.Context, c *gin.Context) (versioned, error) {
	ch, err := h.Channels.Channel(ctx, projectOf(ctx), c.Param("name"))
	return channelRecord(ch), err
}
