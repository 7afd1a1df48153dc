package project

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// ProjectFeed streams the changes of projects.
type ProjectFeed interface {
	// Follow returns the changes that a reader missed since a position ("" for a new reader) and then, until ctx
	// ends, every further change. It closes the channel if the reader does not read.
	Follow(ctx context.Context, projectID int64, after string) (missed models.ChangeBatch, live <-chan models.ChangeBatch, err error)
}

var streamProjectDoc = huma.Operation{
	OperationID: "streamProject", Tags: []string{tagAudit}, Summary: "Follow a project",
	Description: "Server-sent events: `changed` for every entry of the audit log, and a comment every 15 seconds. The data " +
		"names the changed record: `resource` is the first segment of its path under /v1/ota, `id` its ID there, and `action` " +
		"the action in the audit log. The first line of a stream is an ID. A client that reconnects to any server with the " +
		"header `Last-Event-ID` within five minutes gets each change exactly once. After a longer time, or more than 1,000 " +
		"changes, it gets one event `reset` and must read everything again. A client that does not read is disconnected. The " +
		"stream ends when its key or session ends.",
	Parameters: []*huma.Param{{
		Name: "Last-Event-ID", In: "header", Description: "ID of the last event that the client received, an opaque string.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: examplePosition,
	}},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: rest.Content("text/event-stream", &huma.Schema{Type: huma.TypeString},
			"id: 812:812:/812:812:/0\n\nevent: changed\nid: "+examplePosition+"\n"+
				"data: {\"resource\":\"channels\",\"id\":3,\"action\":\"channel.updated\",\"at\":\"2026-03-14T09:26:53.589Z\"}\n\n: heartbeat\n\n"),
	}},
}

const examplePosition = "812:812:/815:815:/907"

// projectChanged is the data of a `changed` event.
type projectChanged struct {
	Resource string    `json:"resource"`
	ID       int64     `json:"id"`
	Action   string    `json:"action"`
	At       rest.Time `json:"at"`
}

func (h *Handlers) streamProject(c *gin.Context) {
	stream, err := h.Gate.OpenStream(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	defer stream.Close()
	missed, live, err := h.ProjectFeed.Follow(stream.Ctx, rest.ProjectOf(stream.Ctx), c.GetHeader("Last-Event-ID"))
	if err != nil {
		rest.Fail(c, err)
		return
	}
	events, err := batchEvents(missed)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	if len(missed.Changes) == 0 && !missed.Reset {
		events = fmt.Appendf(nil, "id: %s\n\n", missed.Position)
	}
	access.Follow(stream, events, live, func(batch models.ChangeBatch, open bool) ([]byte, <-chan models.ChangeBatch, error) {
		if !open {
			return nil, nil, errNotRead
		}
		events, err := batchEvents(batch)
		return events, live, err
	})
}

// errNotRead ends the stream of a client that does not read.
var errNotRead = errors.New("the client does not read the stream")

// batchEvents returns the events of a batch in the format of the stream.
func batchEvents(b models.ChangeBatch) (text []byte, err error) {
	if b.Reset {
		return fmt.Appendf(nil, "event: reset\nid: %s\ndata: {}\n\n", b.Position), nil
	}
	for _, change := range b.Changes {
		data, err := json.Marshal(projectChanged{change.Resource(), change.RecordID(), change.Action, rest.Time{Time: change.At}})
		if err != nil {
			return nil, err
		}
		text = fmt.Appendf(text, "event: changed\nid: %s\ndata: %s\n\n", change.Position, data)
	}
	return text, nil
}
