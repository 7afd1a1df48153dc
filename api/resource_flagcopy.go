package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var (
	orderRulesDoc = doc(tagFlags, "orderFlagRules", "Order the rules of a feature flag",
		"Names every rule of the flag once, the one that decides first first. Their priorities become 0, 1, ….")
	copyFlagDoc = doc(tagFlags, "copyFlag", "Copy a feature flag's settings to another channel",
		"Gives toChannel the settings that the flag has on fromChannel, and copies of the rules that are limited to it, in place of its "+
			"own. Rules for all channels stay. Where both are the same already, nothing changes.",
		http.StatusOK)
)

type orderRulesBody struct {
	RuleIDs []int64 `json:"ruleIds" doc:"Every rule of the flag, the one that decides first first."`
}

func (b orderRulesBody) model() models.RuleOrder      { return models.RuleOrder(b) }
func (b orderRulesBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }
func (orderRulesBody) example() any                   { return orderRulesBody{RuleIDs: []int64{25, 24}} }

func (h *FlagsHandlers) orderRules(ctx context.Context, in *idBodyInput[orderRulesBody]) (*output[Flag], error) {
	f, err := h.Flags.OrderRules(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.Body.model())
	return &output[Flag]{flagRecord(f)}, err
}

type copyFlagBody struct {
	FromChannel string `json:"fromChannel" doc:"The channel whose settings are copied."`
	ToChannel   string `json:"toChannel" doc:"The channel that gets them."`
}

func (b copyFlagBody) model() models.FlagCopy       { return models.FlagCopy(b) }
func (b copyFlagBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }
func (copyFlagBody) example() any {
	return copyFlagBody{FromChannel: "staging", ToChannel: "production"}
}

func (h *FlagsHandlers) copyFlag(ctx context.Context, in *idBodyInput[copyFlagBody]) (*output[Flag], error) {
	f, err := h.Flags.CopyFlag(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.Body.model())
	return &output[Flag]{flagRecord(f)}, err
}
