package complete

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

// webhooks offers IDs, because shells split URLs at colons.
func webhooks(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListWebhooksWithResponse(ctx, &client.ListWebhooksParams{Limit: new(atMost)})
	return listed(res, err, func(w client.Webhook) (string, string) {
		return strconv.FormatInt(w.ID, 10), w.URL + " " + w.Description
	})
}

func members(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListMembersWithResponse(ctx, &client.ListMembersParams{Limit: new(atMost)})
	return listed(res, err, func(m client.Member) (string, string) { return m.Email, string(m.Role) })
}

func contexts(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListContextsWithResponse(ctx, &client.ListContextsParams{Limit: new(atMost)})
	return listed(res, err, func(x client.Context) (string, string) { return x.TargetingKey, string(x.Kind) + " " + x.Name })
}

func errorGroups(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListErrorGroupsWithResponse(ctx, &client.ListErrorGroupsParams{Limit: new(atMost)})
	return listed(res, err, func(g client.ErrorGroup) (string, string) { return g.Fingerprint, g.ErrorName + ": " + g.Message })
}

func incidents(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListIncidentsWithResponse(ctx, &client.ListIncidentsParams{Limit: new(atMost)})
	return listed(res, err, func(i client.Incident) (string, string) {
		return strconv.FormatInt(i.ID, 10), string(i.Status) + " on " + i.Channel
	})
}
