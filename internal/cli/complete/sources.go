package complete

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// atMost is the number of records that are offered, the newest first.
const atMost int64 = 100

// descriptionWidth is the maximum number of characters of a description.
const descriptionWidth = 60

// listed returns a candidate for each record of a response.
func listed[T any](res command.Found[[]T], err error, candidate func(T) (name, description string)) ([]cobra.Completion, error) {
	if err != nil {
		return nil, err
	}
	var all []cobra.Completion
	if records := res.GetJSON200(); records != nil {
		for _, r := range *records {
			name, description := candidate(r)
			if name == "" { // it cannot be used any more
				continue
			}
			all = append(all, cobra.CompletionWithDesc(terminal.Plain(name), command.OneLine(terminal.Plain(description), descriptionWidth)))
		}
	}
	return all, nil
}

func channels(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListChannelsWithResponse(ctx, &client.ListChannelsParams{Limit: new(atMost)})
	return listed(res, err, func(c client.Channel) (string, string) { return c.Name, "branch " + c.BranchName })
}

func branches(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListBranchesWithResponse(ctx, &client.ListBranchesParams{Limit: new(atMost)})
	return listed(res, err, func(b client.Branch) (string, string) { return b.Name, "" })
}

func segments(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListSegmentsWithResponse(ctx, &client.ListSegmentsParams{Limit: new(atMost)})
	return listed(res, err, func(g client.Segment) (string, string) { return g.Key, g.Name })
}

func releases(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListUpdatesWithResponse(ctx, &client.ListUpdatesParams{Limit: new(atMost)})
	return listed(res, err, func(u client.Update) (string, string) {
		return strconv.FormatInt(u.ID, 10), fmt.Sprintf("%s (%s %s, %s)", command.ReleaseMessage(u), u.Platform, u.RuntimeVersion, u.BranchName)
	})
}

func builds(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListBuildsWithResponse(ctx, &client.ListBuildsParams{Limit: new(atMost)})
	return listed(res, err, func(b client.Build) (string, string) {
		return strconv.FormatInt(b.ID, 10), fmt.Sprintf("%s (%s %s)", b.Message, b.Platform, b.RuntimeVersion)
	})
}

func rollouts(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListRolloutExecutionsWithResponse(ctx, &client.ListRolloutExecutionsParams{Limit: new(atMost)})
	return listed(res, err, func(e client.RolloutExecution) (string, string) {
		return strconv.FormatInt(e.ID, 10), fmt.Sprintf("%s: %s (%s)", command.Words(string(e.Status)), e.ReleaseMessage, e.Platform)
	})
}

func policies(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListRolloutPoliciesWithResponse(ctx, &client.ListRolloutPoliciesParams{Limit: new(atMost)})
	return listed(res, err, func(p client.RolloutPolicy) (string, string) {
		return p.Name, fmt.Sprintf("policy %d", p.ID)
	})
}

func flags(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListFlagsWithResponse(ctx, &client.ListFlagsParams{Limit: new(atMost)})
	return listed(res, err, func(f client.Flag) (string, string) { return f.Key, f.Description })
}

func keys(ctx context.Context, api *client.Waft) ([]cobra.Completion, error) {
	res, err := api.ListAPIKeysWithResponse(ctx, &client.ListAPIKeysParams{Limit: new(atMost)})
	return listed(res, err, func(k client.APIKey) (string, string) {
		if k.RevokedAt != nil {
			return "", ""
		}
		return strconv.FormatInt(k.ID, 10), k.Name
	})
}
