package flags

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

var (
	previewCreateDoc      = previewFlagDoc("previewCreateFlag", "Preview creating a feature flag")
	previewSaveDoc        = previewFlagDoc("previewSaveFlag", "Preview saving a whole feature flag")
	previewEnvironmentDoc = previewFlagDoc("previewPatchFlagEnvironment", "Preview a change of a feature flag on one channel")
	previewCopyDoc        = previewFlagDoc("previewCopyFlag", "Preview copying a feature flag's settings to another channel")
)

// previewFlagDoc returns the documentation of the preview of a change of a flag.
func previewFlagDoc(id, summary string) huma.Operation {
	return rest.Repeatable(rest.Doc(tagFlags, id, summary,
		"Returns how many devices would get another value, without changing the flag. The body is the body of the call. If the call "+
			"would be refused, so is the preview. Each context for which Waft evaluated flags in the last 7 days counts as one device. "+
			"If there are more than 2,000 contexts, Waft evaluates a sample of them."))
}

// FlagPreview is the effect of a change of a flag.
type FlagPreview struct {
	DevicesAffected *int64     `json:"devicesAffected" nullable:"true" doc:"Number of devices that would get another value; null if no context was seen in the last 7 days."`
	Moves           []FlagMove `json:"moves" doc:"Changes of the value, the most frequent first."`
	Warnings        []string   `json:"warnings" doc:"Warnings to read before the call, as sentences."`

	NeededApprovals []rollouts.NeededApproval `json:"neededApprovals" doc:"Approvals that the call would wait for. Each also has a sentence in warnings."`
}

// FlagMove counts the devices whose value would change from one value to another.
type FlagMove struct {
	From        rest.FlagValue `json:"from" doc:"Value now, of the flag's type; null for a flag that the call would create."`
	To          rest.FlagValue `json:"to" doc:"Value after the call, of the flag's type."`
	FromVariant string         `json:"fromVariant,omitempty" doc:"Name of the variation with the value from; absent if no variation has it."`
	ToVariant   string         `json:"toVariant,omitempty" doc:"Name of the variation with the value to; absent if no variation has it."`
	Devices     int64          `json:"devices"`
}

func (FlagPreview) Example() any {
	return FlagPreview{
		DevicesAffected: new(int64(120)), Warnings: []string{}, NeededApprovals: []rollouts.NeededApproval{},
		Moves: []FlagMove{{rest.FlagValueOf("false"), rest.FlagValueOf("true"), "Off", "On", 120}},
	}
}

// previewCreate creates a flag and undoes it. It counts the devices that would get the flag's value.
func (h *Handlers) previewCreate(ctx context.Context, in *rest.BodyInput[createFlagBody]) (*rest.Output[FlagPreview], error) {
	var flag models.Flag
	made, err := h.Previews.RunPreview(ctx, func(ctx context.Context) (err error) {
		flag, err = h.Operations.Flags.CreateFlag(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
		return err
	})
	if err != nil {
		return nil, err
	}
	record := emptyFlagPreview(made)
	err = h.countMoves(ctx, nil, flag, &record)
	return &rest.Output[FlagPreview]{Body: record}, err
}

func (h *Handlers) previewSave(ctx context.Context, in *rest.IDBodyInput[saveFlagBody]) (*rest.Output[FlagPreview], error) {
	return h.previewChange(ctx, in.ID, func(ctx context.Context) error {
		_, err := h.Operations.Flags.SaveFlag(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, in.Body.Model())
		return err
	})
}

func (h *Handlers) previewEnvironment(ctx context.Context, in *patchEnvironmentInput) (*rest.Output[FlagPreview], error) {
	return h.previewChange(ctx, in.ID, func(ctx context.Context) error {
		_, _, err := h.Operations.Flags.UpdateFlagEnvironment(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, in.ChannelName, in.Body.model())
		return err
	})
}

func (h *Handlers) previewCopy(ctx context.Context, in *rest.IDBodyInput[copyFlagBody]) (*rest.Output[FlagPreview], error) {
	return h.previewChange(ctx, in.ID, func(ctx context.Context) error {
		_, err := h.Operations.Flags.CopyFlag(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, in.Body.Model())
		return err
	})
}

// previewChange makes a change of a flag and undoes it. It counts the devices that would get another value.
func (h *Handlers) previewChange(ctx context.Context, id int64, change func(ctx context.Context) error) (*rest.Output[FlagPreview], error) {
	var before, after models.Flag
	made, err := h.Previews.RunPreview(ctx, func(ctx context.Context) (err error) {
		if before, err = h.Flags.Flag(ctx, rest.ProjectOf(ctx), id); err != nil {
			return err
		}
		if err = change(ctx); err != nil {
			return err
		}
		after, err = h.Flags.Flag(ctx, rest.ProjectOf(ctx), id)
		return err
	})
	if err != nil {
		return nil, err
	}
	record := emptyFlagPreview(made)
	if before.Version == after.Version {
		record.Warnings = append(record.Warnings, "This call would not change anything.")
	}
	err = h.countMoves(ctx, &before, after, &record)
	return &rest.Output[FlagPreview]{Body: record}, err
}

// emptyFlagPreview returns the preview of a change before devices are counted.
func emptyFlagPreview(made models.PreviewedChange) FlagPreview {
	record := FlagPreview{Moves: []FlagMove{}}
	record.NeededApprovals, record.Warnings = rollouts.NeededApprovals(made)
	return record
}

// countMoves evaluates the flag before and after the change for recent contexts, and adds the result to the record. before is
// nil for a new flag.
func (h *Handlers) countMoves(ctx context.Context, before *models.Flag, after models.Flag, record *FlagPreview) error {
	snapshot, err := releases.OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return err
	}
	set := snapshot.Flags()
	next, err := set.Replaced(after)
	if err != nil {
		return err
	}
	names := slices.Concat(next.Attributes(), requestNames)
	var old *flags.Flag
	if before != nil {
		if old, err = set.Replaced(*before); err != nil {
			return err
		}
		names = append(names, old.Attributes()...)
	}
	_, done, err := h.Limits.Estimates.Turn(ctx, rest.ProjectOf(ctx))
	if err != nil {
		return err
	}
	defer done()
	recent, err := h.Contexts.RecentContexts(ctx, rest.ProjectOf(ctx), names, h.Now())
	if err != nil {
		return err
	}
	if recent.Total == 0 {
		record.Warnings = append(record.Warnings,
			"Waft has not evaluated flags for any device in the last 7 days, so it cannot estimate how many devices are affected.")
		return nil
	}
	contexts := make([]flags.Context, len(recent.List))
	for i, c := range recent.List {
		contexts[i] = h.evaluatedAgain(snapshot, c)
	}
	var moves []flags.Move
	var evaluated int64
	var subject flags.Context
	err = h.Limits.Evaluations.Run(ctx, rest.ProjectOf(ctx), &subject, func() {
		moves, evaluated = flags.Moves(old, next, contexts, &subject)
	})
	if err != nil {
		return err
	}
	record.add(moves, evaluated, recent.Total)
	if snapshot.Project().HashIDs {
		record.Warnings = append(record.Warnings, "The project stores hashes instead of IDs, so rules for user IDs are not counted.")
	}
	return nil
}

// add adds the moves of the evaluated contexts to the record, in proportion to the total number of contexts.
func (r *FlagPreview) add(moves []flags.Move, evaluated, total int64) {
	affected := int64(0)
	for _, m := range moves {
		devices := m.Contexts
		if evaluated < total {
			devices = int64(math.Round(float64(m.Contexts) * float64(total) / float64(evaluated)))
		}
		affected += devices
		r.Moves = append(r.Moves, FlagMove{
			rest.FlagValue{RawMessage: m.From.Value}, rest.FlagValue{RawMessage: m.To.Value}, m.From.Variant, m.To.Variant, devices,
		})
	}
	slices.SortStableFunc(r.Moves, func(a, b FlagMove) int { return int(b.Devices - a.Devices) })
	r.DevicesAffected = &affected
	if evaluated < total {
		r.Warnings = append(r.Warnings, fmt.Sprintf("The numbers are estimated from a sample of %d out of %d devices.", evaluated, total))
	}
}

// requestNames are the attributes of a recorded context that come from the request.
var requestNames = []string{"channel", "platform", "runtimeVersion", "updateUuid"}

// evaluatedAgain returns the context of an evaluation from its record.
func (h *Handlers) evaluatedAgain(s *delivery.Snapshot, c models.EvaluationContext) flags.Context {
	text := func(name string) string {
		value, _ := c.Attributes[name].(string)
		return value
	}
	of := flags.Context{
		TargetingKey: c.TargetingKey, Platform: text("platform"), RuntimeVersion: text("runtimeVersion"),
		Attributes: c.Attributes, Now: h.Now(),
	}
	if c.Kind == "device" {
		of.DeviceID = c.TargetingKey
	}
	if channel := text("channel"); s.HasChannel(channel) {
		of.Channel = channel
	}
	of.Update.UUID = text("updateUuid")
	return s.FlagContext(of)
}
