package flags

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	orderRulesDoc = rest.Doc(tagFlags, "orderFlagRules", "Order the rules of a feature flag",
		"Names every rule of the flag once, the one that decides first first. Their priorities become 0, 1, ….")
	copyFlagDoc = rest.Doc(tagFlags, "copyFlag", "Copy a feature flag's settings to another channel",
		"Gives toChannel the settings that the flag has on fromChannel, and copies of the rules that are limited to it, in place of its "+
			"own. Rules for all channels stay. Where both are the same already, nothing changes.",
		http.StatusOK)
)

type orderRulesBody struct {
	RuleIDs []int64 `json:"ruleIds" doc:"Every rule of the flag, the one that decides first first."`
}

func (b orderRulesBody) Model() models.RuleOrder      { return models.RuleOrder(b) }
func (b orderRulesBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }
func (orderRulesBody) Example() any                   { return orderRulesBody{RuleIDs: []int64{25, 24}} }

func (h *Handlers) orderRules(ctx context.Context, in *rest.IDBodyInput[orderRulesBody]) (*rest.Output[Flag], error) {
	f, err := operations.Do(ctx, h.Operations, operations.OrderRules, rest.AuthorOf(ctx),
		operations.Of[models.RuleOrder]{ID: in.ID, Change: in.Body.Model()})
	return &rest.Output[Flag]{Body: flagRecord(f)}, err
}

type copyFlagBody struct {
	FromChannel string `json:"fromChannel" doc:"The channel whose settings are copied."`
	ToChannel   string `json:"toChannel" doc:"The channel that gets them."`
}

func (b copyFlagBody) Model() models.FlagCopy       { return models.FlagCopy(b) }
func (b copyFlagBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }
func (copyFlagBody) Example() any {
	return copyFlagBody{FromChannel: "staging", ToChannel: "production"}
}

func (h *Handlers) copyFlag(ctx context.Context, in *rest.IDBodyInput[copyFlagBody]) (*rest.Output[Flag], error) {
	f, err := operations.Do(ctx, h.Operations, operations.CopyFlag, rest.AuthorOf(ctx),
		operations.Of[models.FlagCopy]{ID: in.ID, Change: in.Body.Model()})
	return &rest.Output[Flag]{Body: flagRecord(f)}, err
}
