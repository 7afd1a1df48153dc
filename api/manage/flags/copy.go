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
		"The body lists every rule of the flag once, in the order of evaluation. Their priorities become 0, 1, ….")
	copyFlagDoc = rest.Doc(tagFlags, "copyFlag", "Copy a feature flag's settings to another channel",
		"Replaces the flag's settings on toChannel with the settings on fromChannel, and the rules limited to toChannel with "+
			"copies of the rules limited to fromChannel. Rules for all channels are kept. If both channels are already the "+
			"same, the flag does not change.",
		http.StatusOK)
)

type orderRulesBody struct {
	RuleIDs []int64 `json:"ruleIds" doc:"IDs of all rules of the flag, in the order of evaluation."`
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
	FromChannel string `json:"fromChannel" doc:"Name of the channel whose settings are copied."`
	ToChannel   string `json:"toChannel" doc:"Name of the channel whose settings are replaced."`
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
