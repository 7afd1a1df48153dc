package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Releases stores releases.
type Releases interface {
	ListReleases(
		ctx context.Context, projectID int64, filter models.ReleaseFilter, page models.Page,
	) ([]models.Release, error)
	Release(ctx context.Context, projectID, id int64) (models.Release, error)
	// UpdateID finds a release, even a deleted one, by its update ID.
	UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error)
	// ReleaseHistory returns the history of a release, even of a deleted one.
	ReleaseHistory(ctx context.Context, projectID, id int64, page models.HistoryPage) ([]models.AuditEntry, error)
}

var (
	listUpdatesDoc  = rest.Doc(TagUpdates, "listUpdates", "List releases", "Returns the releases that match all given filters.")
	CreateUpdateDoc = rest.Doc(TagUpdates, "createUpdate", "Publish a build to a branch or a channel",
		"Give branchName or channel, not both. A groupId that was already used for the same platform and branch fails with "+
			"already_exists.",
		http.StatusCreated, http.StatusNotFound)
	getUpdateDoc   = rest.Doc(TagUpdates, "getUpdate", "Get a release", "Returns the current state of the release.")
	PatchUpdateDoc = rest.Doc(TagUpdates, "patchUpdate", "Change a release",
		"Fields that are absent keep their value. rolloutPercentage cannot be changed while the release has a rollout "+
			"(rollout_in_progress).",
		http.StatusConflict)
	DeleteUpdateDoc = rest.Doc(TagUpdates, "deleteUpdate", "Delete a release",
		"Devices are no longer served the release. Its history and the audit log keep it. A release with a rollout cannot be "+
			"deleted (rollout_in_progress).",
		http.StatusConflict)
)

type listUpdatesInput struct {
	rest.ListQuery
	Channel        string             `query:"channel" doc:"Channel that the releases were published to."`
	Branch         string             `query:"branch" doc:"Branch of the releases."`
	Platform       models.Platform    `query:"platform" enum:"ios,android" doc:"Platform of the releases."`
	RuntimeVersion string             `query:"runtimeVersion" doc:"Runtime version of the releases."`
	GroupID        string             `query:"groupId" format:"uuid" doc:"groupId of the publish."`
	IsEnabled      string             `query:"isEnabled" enum:"true,false" doc:"Whether the releases are enabled."`
	Kind           models.ReleaseKind `query:"kind" enum:"update,rollback_to_embedded" doc:"Kind of the releases."`
	WholeGroups    bool               `query:"wholeGroups" doc:"Whether a page that would end within a group also has the rest of the group, up to 50 releases more than limit. Releases of a group are together in the default order."`
	FlagID         int64              `query:"flagId" minimum:"1" doc:"ID of a flag that the releases link."`
}

// maxGroupRest is the maximum number of releases by which a page with whole groups is longer.
const maxGroupRest = 50

func areOfOneGroup(a, b models.Release) bool { return a.GroupID == b.GroupID }

func (in listUpdatesInput) filter() models.ReleaseFilter {
	f := models.ReleaseFilter{
		Channel: in.Channel, Branch: in.Branch, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		GroupID: rest.ParsedUUID(in.GroupID), Kind: in.Kind, FlagID: in.FlagID,
	}
	if in.IsEnabled != "" {
		f.IsEnabled = new(in.IsEnabled == "true")
	}
	return f
}

func (h *Handlers) listUpdates(ctx context.Context, in *listUpdatesInput) (*rest.List[Update], error) {
	fetch := func(p models.Page) ([]models.Release, error) {
		return h.Releases.ListReleases(ctx, rest.ProjectOf(ctx), in.filter(), p)
	}
	more := 0
	if in.WholeGroups {
		more = maxGroupRest
	}
	return rest.ListedWhole(ctx, in.ListQuery, more, areOfOneGroup, UpdateRecord, fetch)
}

type createUpdateBody struct {
	BuildID    int64  `json:"buildId" minimum:"1" doc:"ID of the build to publish."`
	BranchName string `json:"branchName,omitempty" doc:"Name of the branch to publish to directly."`
	Channel    string `json:"channel,omitempty" doc:"Name of the channel whose branch to publish to."`
	IsEnabled  *bool  `json:"isEnabled,omitempty" doc:"Whether devices get the release; true by default."`
	PublishOptions
}

func (b createUpdateBody) Model() models.Publish {
	p := b.model()
	p.BuildID, p.Branch, p.Channel, p.IsEnabled = b.BuildID, b.BranchName, b.Channel, b.IsEnabled
	p.Direct = true
	return p
}

func (b createUpdateBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (createUpdateBody) Example() any {
	return createUpdateBody{BuildID: 12, BranchName: "next", PublishOptions: PublishOptions{RolloutPercentage: new(25.0)}}
}

type patchUpdateBody struct {
	IsEnabled         rest.Patch[bool]       `json:"isEnabled,omitzero" doc:"Whether devices get the release."`
	IsCritical        rest.Patch[bool]       `json:"isCritical,omitzero" doc:"Whether devices apply the release immediately."`
	RolloutPercentage rest.Patch[float64]    `json:"rolloutPercentage,omitzero" minimum:"0" maximum:"100" doc:"Percentage of devices that get the release, 0 to 100."`
	ReleaseMessage    rest.Patch[string]     `json:"releaseMessage,omitzero" nullable:"true" doc:"Release notes; null clears them."`
	LinkedFlags       rest.Patch[[]FlagLink] `json:"linkedFlags,omitzero" nullable:"true" doc:"Linked feature flags, which replace all current ones; null removes them."`
	Reason            string                 `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the history of the release and the audit log."`
}

func (b patchUpdateBody) Model() (models.ReleasePatch, models.Problems) {
	var p models.Problems
	patch := models.ReleasePatch{
		IsEnabled:         b.IsEnabled.NotNull(&p, "isEnabled"),
		IsCritical:        b.IsCritical.NotNull(&p, "isCritical"),
		RolloutPercentage: b.RolloutPercentage.NotNull(&p, "rolloutPercentage"),
		ReleaseMessage:    rest.Cleared(b.ReleaseMessage),
		Reason:            b.Reason,
	}
	if b.LinkedFlags.Set {
		patch.LinkedFlags = &[]models.FlagLink{}
		if links := b.LinkedFlags.Value; links != nil {
			*patch.LinkedFlags = rest.Rendered(*links, linkModel)
		}
	}
	return patch, p
}

func (b patchUpdateBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchUpdateBody) Example() any                   { return patchUpdateBody{IsEnabled: rest.PatchTo(false)} }

// Update is a release: a build published to a branch, or a rollback to the embedded update.
type Update struct {
	rest.Tagged
	ID             int64           `json:"id"`
	UpdateID       int64           `json:"updateId" doc:"Same value as id."`
	UpdateUUID     uuid.UUID       `json:"updateUuid" format:"uuid" doc:"Update ID of the release."`
	GroupID        uuid.UUID       `json:"groupId" format:"uuid" doc:"ID that the platforms of one publish share."`
	BuildID        *int64          `json:"buildId" doc:"ID of the build; null for a rollback to the embedded update."`
	BranchName     string          `json:"branchName"`
	Channel        *string         `json:"channel" doc:"Channel that the release was published to; null if it was published to a branch directly."`
	Platform       models.Platform `json:"platform" enum:"ios,android"`
	RuntimeVersion string          `json:"runtimeVersion"`
	IsEnabled      bool            `json:"isEnabled" doc:"Whether devices get the release."`
	rest.Disabling
	DisabledReason         string             `json:"disabledReason" doc:"Reason why the release was disabled; empty if none was given or the release is enabled."`
	IsCritical             bool               `json:"isCritical" doc:"Whether devices apply the release immediately rather than at their next cold start."`
	RolloutPercentage      float64            `json:"rolloutPercentage" doc:"Percentage of devices that get the release, 0 to 100."`
	ReleaseMessage         string             `json:"releaseMessage"`
	Kind                   models.ReleaseKind `json:"kind" enum:"update,rollback_to_embedded"`
	RepublishedFromID      *int64             `json:"republishedFromId" doc:"ID of the release that this release repeats; otherwise null."`
	RepublishedFromMessage *string            `json:"republishedFromMessage" doc:"Release notes of the release that this release repeats; otherwise null."`
	RolledBackUpdateIDs    []int64            `json:"rolledBackUpdateIds" doc:"IDs of the releases that this release rolls back."`
	RolloutExecutionID     *int64             `json:"rolloutExecutionId" doc:"ID of the release's running or paused rollout; otherwise null."`
	LinkedFlags            []LinkedFlag       `json:"linkedFlags" doc:"Feature flags that the release turns on or off while it is out."`
	GitCommitHash          string             `json:"gitCommitHash"`
	GitBranch              string             `json:"gitBranch"`
	GitAuthor              string             `json:"gitAuthor" doc:"Author of the commit; empty if the upload did not name them."`
	AssetCount             int                `json:"assetCount"`
	SizeBytes              int64              `json:"sizeBytes"`
	CreatedAt              rest.Time          `json:"createdAt" doc:"Commit time in the update protocol, strictly increasing over the project's releases."`
	UpdatedAt              rest.Time          `json:"updatedAt"`
}

// LinkedFlag is a feature flag whose value is set by a release.
type LinkedFlag struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	Enabled bool   `json:"enabled"`
	Value   string `json:"value" doc:"Value of the variation."`
}

// UpdateRecord returns the API's representation of a release.
func UpdateRecord(r models.Release) Update {
	disabling, disabledReason := rest.DisablingRecord(r.Disabling)
	return Update{
		Tagged: rest.Tagged{ETag: r.ETag(r.ID)},
		ID:     r.ID, UpdateID: r.ID, UpdateUUID: r.UpdateUUID, GroupID: r.GroupID, BuildID: r.BuildID, BranchName: r.BranchName,
		Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, IsEnabled: r.IsEnabled,
		Disabling: disabling, DisabledReason: disabledReason, IsCritical: r.IsCritical, RolloutPercentage: r.RolloutPercentage, ReleaseMessage: r.ReleaseMessage,
		Kind: r.Kind, RepublishedFromID: r.RepublishedFromID, RepublishedFromMessage: r.RepublishedFromMessage,
		RolledBackUpdateIDs: append([]int64{}, r.RolledBackUpdateIDs...), RolloutExecutionID: r.RolloutExecutionID,
		LinkedFlags: rest.Rendered(r.LinkedFlags, LinkedFlagRecord), GitCommitHash: r.GitCommitHash, GitBranch: r.GitBranch, GitAuthor: r.GitAuthor,
		AssetCount: r.AssetCount, SizeBytes: r.SizeBytes, CreatedAt: rest.Time{Time: r.CreatedAt}, UpdatedAt: rest.Time{Time: r.UpdatedAt},
	}
}

func (Update) Example() any {
	return Update{
		ID: 17, UpdateID: 17, UpdateUUID: uuid.MustParse(rest.ExampleUUID), GroupID: uuid.MustParse("0b9d3c1e-58f5-4f0f-8c11-2f4f4d0d7f55"),
		BuildID: new(int64(12)), BranchName: "production", Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
		IsEnabled: true, RolloutPercentage: 100, ReleaseMessage: "Fix the checkout button", Kind: models.KindUpdate,
		RolledBackUpdateIDs: []int64{}, LinkedFlags: []LinkedFlag{},
		GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitBranch: "main", GitAuthor: "Ada Lovelace", AssetCount: 1,
		SizeBytes: 1048576, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

// LinkedFlagRecord returns the API's representation of a flag that a release sets.
func LinkedFlagRecord(l models.LinkedFlag) LinkedFlag {
	return LinkedFlag{FlagID: l.FlagID, FlagKey: l.FlagKey, Enabled: l.Enabled, Value: l.Value}
}

var RollbackDoc = rest.Doc(TagUpdates, "rollBack", "Roll back a channel",
	"Rolls back one platform and runtime version of the channel's branch. Publishes again, for every device, the release to "+
		"return to, or an instruction to return to the embedded update. Newer releases are disabled and their rollouts end as "+
		"rolled_back. others rolls back further platforms in the same transaction. Returns the release that was published; those "+
		"for others share its groupId. If a release to return to is disabled, the call is refused with goal_disabled unless "+
		"allowDisabled is true.",
	http.StatusCreated, http.StatusNotFound, http.StatusConflict)

type rollbackBody struct {
	RuntimeVersion     string          `json:"runtimeVersion" doc:"Runtime version of the devices to roll back."`
	Platform           models.Platform `json:"platform" enum:"ios,android"`
	Channel            string          `json:"channel" doc:"Name of the channel whose branch is rolled back."`
	RollbackToUpdateID *int64          `json:"rollbackToUpdateId,omitempty" minimum:"1" doc:"ID of the release to return to, on the channel's branch; the embedded update by default."`
	Others             []RollbackPart  `json:"others,omitempty" maxItems:"19" doc:"Further platforms and runtime versions of the channel to roll back in the same transaction."`
	AllowDisabled      bool            `json:"allowDisabled,omitempty" doc:"Whether to return even to a release that is disabled."`
	Reason             string          `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the history of the releases and the audit log."`
}

// RollbackPart is the rollback of a further platform or runtime version.
type RollbackPart struct {
	RuntimeVersion     string          `json:"runtimeVersion" doc:"Runtime version of the devices to roll back."`
	Platform           models.Platform `json:"platform" enum:"ios,android"`
	RollbackToUpdateID *int64          `json:"rollbackToUpdateId,omitempty" minimum:"1" doc:"ID of the release to return to, on the channel's branch; the embedded update by default."`
}

func (b rollbackBody) Model() models.Rollback {
	r := models.Rollback{
		Channel: b.Channel, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, ToUpdateID: b.RollbackToUpdateID,
		AllowDisabled: b.AllowDisabled, Reason: b.Reason,
	}
	for _, o := range b.Others {
		r.Others = append(r.Others, models.RollbackPart{Platform: o.Platform, RuntimeVersion: o.RuntimeVersion, ToUpdateID: o.RollbackToUpdateID})
	}
	return r
}

func (b rollbackBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (rollbackBody) Example() any {
	return rollbackBody{
		RuntimeVersion: "1.4.0", Platform: models.IOS, Channel: "production", RollbackToUpdateID: new(int64(16)),
		Others: []RollbackPart{{RuntimeVersion: "1.4.0", Platform: models.Android, RollbackToUpdateID: new(int64(18))}},
		Reason: "the checkout crashes",
	}
}

var RepublishDoc = rest.Doc(TagUpdates, "republishUpdate", "Republish a release",
	"Publishes the same build again, for every device, to each of the channels; by default to the channel of the original. "+
		"The other platforms of its group are republished too, and the new releases share a new groupId. Channels that point "+
		"to the same branch get one release, published to the first of these channels. With rolloutPolicyId, the new releases "+
		"start at 0% and the stages of the policy raise their rollout percentage. With updateIds, exactly these releases are "+
		"republished, in one transaction. Releases of one platform then have different groups.",
	http.StatusCreated)

type republishBody struct {
	Channels        []string `json:"channels,omitempty" minItems:"1" doc:"Names of the channels to publish to; the channel of the original by default."`
	ReleaseMessage  *string  `json:"releaseMessage,omitempty" doc:"Release notes; the notes of the original by default."`
	UpdateIDs       []int64  `json:"updateIds,omitempty" minItems:"1" doc:"IDs of the releases to republish, which include the release in the path; by default the release and the other platforms of its group."`
	RolloutPolicyID *int64   `json:"rolloutPolicyId,omitempty" minimum:"1" doc:"ID of the policy that rolls the new releases out."`
}

func (b republishBody) Model() models.Republish      { return models.Republish(b) }
func (b republishBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }
func (republishBody) Example() any                   { return republishBody{Channels: []string{"production", "staging"}} }

// Republished is the result of a republish.
type Republished struct {
	Updates []Update  `json:"updates" doc:"Created releases, one per branch and republished release."`
	GroupID uuid.UUID `json:"groupId" format:"uuid" doc:"groupId that the new releases share; with several releases of one platform, the groupId of the release in the path."`
}

func (Republished) Example() any {
	update := Update{}.Example().(Update)
	update.RepublishedFromID = new(int64(16))
	return Republished{Updates: []Update{update}, GroupID: update.GroupID}
}

// Republish publishes the release in the path again.
func (h *Handlers) Republish(ctx context.Context, in *rest.IDBodyInput[*republishBody]) (*rest.Output[Republished], error) {
	var n models.Republish
	if in.Body != nil {
		n = in.Body.Model()
	}
	made, err := operations.Do(ctx, h.Operations, operations.RepublishUpdate, rest.AuthorOf(ctx),
		operations.Of[models.Republish]{ID: in.ID, Change: n})
	return &rest.Output[Republished]{Body: Republished{Updates: rest.Rendered(made.Updates, UpdateRecord), GroupID: made.GroupID}}, err
}

func (r Update) RecordID() int64 { return r.ID }

// UpdateIdentifier allows a path to identify a release by its updateUuid.
func UpdateIdentifier(releases interface {
	UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error)
}) *rest.Identifier {
	return rest.ByUUID(updateParam, func(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
		return releases.UpdateID(ctx, projectID, id)
	})
}

var updateParam = rest.IdentifierParam("ID or updateUuid of the release.", rest.UUID("").Schema(nil))

// RollBack publishes the release to return to.
func (h *Handlers) RollBack(ctx context.Context, in *rest.BodyInput[rollbackBody]) (*rest.Output[Update], error) {
	r, err := operations.Do(ctx, h.Operations, operations.RollBackChannel, rest.AuthorOf(ctx), in.Body.Model())
	return &rest.Output[Update]{Body: UpdateRecord(r)}, err
}

// CreateUpdate publishes a build.
func (h *Handlers) CreateUpdate(ctx context.Context, in *rest.BodyInput[createUpdateBody]) (*rest.Output[Update], error) {
	return rest.CreatingBy[createUpdateBody](h.Operations, operations.PublishUpdate, UpdateRecord)(ctx, in)
}

// PatchUpdate changes the release in the path.
func (h *Handlers) PatchUpdate(ctx context.Context, in *rest.IDBodyInput[patchUpdateBody]) (*rest.Output[Update], error) {
	return rest.PatchingBy[patchUpdateBody](h.Operations, operations.PatchUpdate, UpdateRecord)(ctx, in)
}

// DeleteUpdate deletes the release in the path.
func (h *Handlers) DeleteUpdate(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return rest.DeletingBy(h.Operations, operations.DeleteUpdate)(ctx, in)
}
