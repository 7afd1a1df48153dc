package rollouts

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Changes notifies of rollouts that changed.
type Changes interface {
	// Watch returns a channel that receives a value after each change of the rollout, until ctx is done. Changes that
	// were not yet received count as one.
	Watch(ctx context.Context, executionID int64) <-chan struct{}
}

var streamExecutionDoc = huma.Operation{
	OperationID: "streamRolloutExecution", Tags: []string{tagExecutions}, Summary: "Follow a rollout",
	Description: "Server-sent events: the first event `execution` is immediate, another one follows every change, and their " +
		"data is the rollout. A comment follows every 15 seconds. The stream continues after the rollout ends, until the " +
		"client disconnects or its key is revoked or expires.",
	Parameters: []*huma.Param{{
		Name: "id", In: "path", Required: true, Description: executionParam.Description, Schema: executionParam.Schema, Example: 17,
	}},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: rest.Content("text/event-stream", &huma.Schema{Type: huma.TypeString},
			"event: execution\nid: 3\ndata: {\"id\":21,\"status\":\"running\",…}\n\n: heartbeat\n\n"),
	}},
}

func (h *Handlers) streamExecution(c *gin.Context) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		rest.Fail(c, models.Errorf(models.CodeNotFound, "this rollout does not exist: the ID in the path must be a number"))
		return
	}
	stream, err := h.Gate.OpenStream(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	defer stream.Close()
	ctx := stream.Ctx
	// Watching begins before the first read, so that no change is missed.
	changed := h.Changes.Watch(ctx, id)
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), id)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	first, err := stream.Event("execution", e.Version, ExecutionRecord(e))
	if err != nil {
		rest.Fail(c, err)
		return
	}
	// Each heartbeat also reads the rollout, in case a notification was lost.
	access.Follow(stream, first, changed, func(struct{}, bool) ([]byte, <-chan struct{}, error) {
		e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), id)
		if models.CodeOf(err) == models.CodeUnavailable {
			h.Log.WarnContext(ctx, "an event stream cannot read its rollout and tries again", "execution", id, "error", err)
			return nil, changed, nil
		}
		if err != nil {
			return nil, nil, err
		}
		event, err := stream.Event("execution", e.Version, ExecutionRecord(e))
		return event, changed, err
	})
}
