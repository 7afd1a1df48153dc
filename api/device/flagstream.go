package device

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

var flagStreamDoc = huma.Operation{
	OperationID: "streamFlags", Tags: []string{tagDevices}, Summary: "Follow the feature flags of a device",
	Description: "Server-sent events: first `put` with all flags, then `patch` for each flag whose value, variant or reason " +
		"changes for this device, and `delete` for each deleted flag. A comment follows every 15 seconds. Changes that do not " +
		"affect the device do not cause an event. A client that does not read is disconnected and gets a `put` when it " +
		"reconnects. The stream ends when the project or the channel is deleted. definitions=true is for clients that " +
		"evaluate flags themselves. It works without a device and sends only events `definitions`: the version of the " +
		"channel's definitions, first the current one and then each new one.",
	Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusTooManyRequests},
	Parameters: []*huma.Param{
		rest.ProjectParam,
		rest.DeviceParam("query", "channel", "Name of the device's channel.", "production"),
		{
			Name: "deviceId", In: "query", Description: "Stable ID of the device; required unless definitions is true.",
			Schema: &huma.Schema{Type: huma.TypeString}, Example: rest.ExampleUUID,
		},
		rest.DeviceParam("query", "targetingKey", "Key that decides shares and user lists; the deviceId if absent or empty.", "user-42"),
		rest.DeviceParam("query", "updateId", "ID of the running update.", rest.ExampleUUID),
		rest.DeviceParam("query", "runtimeVersion", "Runtime version of the app.", "1.4.0"),
		rest.DeviceParam("query", "platform", "Platform: ios, android or web.", "ios"),
		rest.DeviceParam("query", "definitions", "Whether to get only the versions of the definitions (true or false).", "true"),
	},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: rest.Content("text/event-stream", &huma.Schema{Type: huma.TypeString},
			"event: put\ndata: {\"flags\":{\"new-checkout\":{\"value\":false,\"variant\":\"Off\",\"reason\":\"DEFAULT\"}}}\n\n"+
				"event: patch\ndata: {\"key\":\"new-checkout\",\"flag\":{\"value\":true,\"variant\":\"On\",\"reason\":\"SPLIT\"}}\n\n: heartbeat\n\n"),
	}},
}

// flagStream holds the flags that a stream has sent to its device.
type flagStream struct{ flags.Evaluated }

func (h *Handlers) streamFlags(c *gin.Context) {
	s, err := h.pathProject(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	switch c.Query("definitions") {
	case "", "false":
	case "true":
		h.streamDefinitions(c, s)
		return
	default:
		rest.Fail(c, models.Problems{{Field: "definitions", Message: "must be true or false"}}.Err())
		return
	}
	of, err := streamContext(c)
	if err == nil {
		err = h.Limits.Requests.CheckDevice(c, of.DeviceID)
	}
	if err != nil {
		rest.Fail(c, err)
		return
	}
	// Watching begins before the first evaluation, so that no change is missed.
	projectID := s.Project().ID
	changed := h.Snapshots.Changed(projectID)
	if now, err := h.Snapshots.ProjectByID(projectID); err == nil {
		s = now
	}
	sent, err := h.look(c.Request.Context(), s, of, nil)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	stream, err := h.Gate.OpenStream(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	defer stream.Close()
	h.countFlags(c, s, sent.Set, &sent.Context, "", sent.Outcomes)
	put := append(sent.Set.AppendJSON([]byte("event: put\ndata: {\"flags\":"), sent.Outcomes), "}\n\n"...)
	access.Follow(stream, put, changed, func(struct{}, bool) ([]byte, <-chan struct{}, error) {
		changed := h.Snapshots.Changed(projectID)
		s, err := h.Snapshots.ProjectByID(projectID)
		if err != nil {
			return nil, nil, err // the project was deleted
		}
		next, err := h.look(c.Request.Context(), s, of, sent)
		if err != nil {
			return nil, nil, err // the channel was deleted
		}
		events := next.since(sent)
		sent = next
		h.countFlags(c, s, sent.Set, &sent.Context, "", sent.Outcomes)
		return events, changed, nil
	})
}

// streamContext reads the context from the query.
func streamContext(c *gin.Context) (flags.Context, error) {
	r := flagcontext.ContextReader{Fields: map[string]any{}}
	for name, values := range c.Request.URL.Query() {
		r.Fields[name] = values[0]
	}
	of := flags.Context{
		TargetingKey: r.Text("targetingKey"), DeviceID: r.Required("deviceId"), Channel: r.Text("channel"), Platform: r.Text("platform"),
		RuntimeVersion: r.Text("runtimeVersion"),
	}
	of.Update.UUID = r.Text("updateId")
	r.Platform(of.Platform)
	return of, r.Problems.Err()
}

// look evaluates the flags of a snapshot for a device. before holds the flags that were sent, nil at first.
func (h *Handlers) look(ctx context.Context, s *delivery.Snapshot, of flags.Context, before *flagStream) (*flagStream, error) {
	of, err := flagcontext.Completed(s, of, h.Now())
	if err != nil {
		return nil, err
	}
	f := &flagStream{flags.Evaluated{Set: s.Flags()}}
	err = h.Limits.Evaluations.Run(ctx, s.Project().ID, &of, func() {
		if before != nil && before.Context.Update == of.Update {
			f.Outcomes = f.Set.Reevaluate(&of, before.Evaluated)
		} else {
			f.Outcomes = f.Set.Evaluate(&of, nil)
		}
	})
	f.Context = of
	return f, err
}

// since returns the events that update a client from before to f.
func (f *flagStream) since(before *flagStream) (events []byte) {
	old := before.Set.Flags()
	at := 0
	for i, flag := range f.Set.Flags() {
		for at < len(old) && old[at].Key() < flag.Key() {
			events = appendDelete(events, old[at].Key())
			at++
		}
		if at < len(old) && old[at].Key() == flag.Key() {
			at++
			if f.Outcomes[i].Same(before.Outcomes[at-1]) {
				continue
			}
		}
		events = append(events, "event: patch\ndata: {\"key\":\""+flag.Key()+"\",\"flag\":"...)
		events = append(append(events, f.Outcomes[i].JSON...), "}\n\n"...)
	}
	for ; at < len(old); at++ {
		events = appendDelete(events, old[at].Key())
	}
	return events
}

func appendDelete(events []byte, key string) []byte {
	data, _ := json.Marshal(map[string]string{"key": key}) // cannot fail: strings can always be encoded
	return append(append(append(events, "event: delete\ndata: "...), data...), "\n\n"...)
}
