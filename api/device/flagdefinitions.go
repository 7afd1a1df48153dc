package device

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

var flagDefinitionsDoc = huma.Operation{
	OperationID: "getFlagDefinitions", Tags: []string{tagDevices}, Summary: "Get the feature flags of a channel",
	Description: "For clients that evaluate flags themselves. Returns, by key, the flags that are on for the channel, with " +
		"their variations and the rules that apply there. It includes flags that are off there but that a release overrides. " +
		"A rule with conditions that ends in a split has the ruleType `split`, without a variantValue: `when` in its ruleConfig has the " +
		"conditions, and `rollout` the shares. Clients skip a rule of a type that they do not know. " +
		"disabledFlags lists all flags that are off, and updates the releases that a client may run. Values are typed. " +
		"Without a channel, the flags' own settings apply.",
	Errors: []int{http.StatusNotFound, http.StatusTooManyRequests},
	Parameters: []*huma.Param{
		rest.ProjectParam,
		rest.DeviceParam("query", "channel", "Name of the device's channel.", "production"),
		rest.DeviceParam("header", "If-None-Match", "ETag of the client's definitions.", `"5f0c8a7e1d2b3c4d5e6f7a8b"`),
	},
	Responses: map[string]*huma.Response{
		"200": {
			Description: "Flags of the channel.",
			Headers: map[string]*huma.Param{
				"ETag":             rest.AnswerHeader("Version of the definitions, followed by the encoding if the response is compressed."),
				"Content-Encoding": rest.AnswerHeader("`br` or `gzip`, if Accept-Encoding permits it and the response becomes smaller."),
				"Vary":             rest.AnswerHeader("Accept-Encoding."),
			},
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{
					Type: huma.TypeObject, AdditionalProperties: true, Required: []string{"flags", "disabledFlags", "updates", "version"},
					Properties: map[string]*huma.Schema{
						"flags":         {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}},
						"disabledFlags": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}},
						"updates":       {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}},
						"version":       {Type: huma.TypeString, Description: "Version, which changes exactly when the flags change."},
					},
				},
				Example: json.RawMessage(`{"flags":[{"key":"new-checkout","flagType":"boolean","defaultValue":false,"enabled":true,` +
					`"variations":[{"id":32,"name":"On","value":true},{"id":33,"name":"Off","value":false}],` +
					`"rules":[{"priority":0,"ruleType":"split","ruleConfig":{"when":{"ruleType":"user_list","ruleConfig":{"userIds":"ada,bob"}},` +
					`"rollout":[{"variationId":32,"variantValue":true,"weight":50}]}},` +
					`{"priority":1,"ruleType":"percentage_rollout","variantValue":null,` +
					`"ruleConfig":{"rollout":[{"variationId":32,"variantValue":true,"weight":10}]}}],` +
					`"releaseOverrides":[{"updateUuid":"` + rest.ExampleUUID + `","value":true}]}],"disabledFlags":[{"key":"old-menu","flagType":"boolean","defaultValue":false,"variant":"Off"}],` +
					`"updates":[{"updateUuid":"` + rest.ExampleUUID + `","branch":"production","runtimeVersion":"1.4.0","createdAt":"2026-03-14T09:26:53.589Z"}],"version":"5f0c8a7e1d2b3c4d5e6f7a8b"}`),
			}},
		},
		"304": {Description: "The client has the current definitions."},
	},
}

func (h *Handlers) flagDefinitions(c *gin.Context) {
	snapshot, err := h.pathProject(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	document, err := h.definitions(c.Request.Context(), snapshot, c.Query("channel"))
	if err != nil {
		rest.Fail(c, err)
		return
	}
	encoding := readAcceptEncoding(c.Request.Header.Values("Accept-Encoding")).choose(document.Encoded)
	header := c.Writer.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-cache") // a cache must revalidate
	header.Set("Vary", "Accept-Encoding")
	header.Set("ETag", etag(document.Version, encoding))
	content := document.Encoded.In(encoding)
	if encoding != models.Identity {
		c.Request.Header.Del("Range") // a part of a variant is useless without the rest
		header.Set("Content-Encoding", string(encoding))
		// ServeContent omits Content-Length for a compressed response.
		header.Set("Content-Length", strconv.Itoa(len(content)))
	}
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(content))
}

// definitions returns the document of a channel (the project's own settings for "") with all its compressed variants.
// If the document is not cached, rendering and compressing it waits for the project's turn.
func (h *Handlers) definitions(ctx context.Context, s *delivery.Snapshot, channel string) (flags.Document, error) {
	definitions := s.FlagDefinitions()
	rest := func() {}
	if !definitions.IsRendered(channel) {
		turn, done, err := h.Limits.Evaluations.Turn(ctx, s.Project().ID)
		if err != nil {
			return flags.Document{}, err
		}
		defer done()
		rest = turn
	}
	document, ok, err := definitions.Channel(channel, rest)
	if err == nil && !ok {
		err = models.Errorf(models.CodeNotFound, "channel %q does not exist in this project", channel)
	}
	if err == nil {
		document.Encoded.Prepare(rest)
	}
	return document, err
}
