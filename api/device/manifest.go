package device

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// manifestMedia documents a manifest outside a multipart response.
var manifestMedia = &huma.MediaType{
	Schema:  &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
	Example: map[string]any{"id": rest.ExampleUUID, "createdAt": rest.ExampleTime, "runtimeVersion": "1.4.0"},
}

var manifestDoc = huma.Operation{
	OperationID: "getManifest", Tags: []string{tagDevices}, Summary: "Get the update for a device",
	Description: "Implements the Expo Updates protocol, versions 0 and 1. Without a client-* header, the expo-* header with " +
		"the same ending is used.",
	Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable, http.StatusTooManyRequests},
	Parameters: []*huma.Param{
		rest.ProjectParam,
		rest.DeviceParam("query", "channel", "Channel to check, for clients that cannot send the header.", "production"),
		rest.DeviceParam("header", "client-channel-name", "Channel to check. Required, here or as expo-channel-name or channel.", "production"),
		rest.DeviceParam("header", "client-runtime-version", "Runtime version of the app. Required, here or as expo-runtime-version.", "1.4.0"),
		rest.DeviceParam("header", "client-platform", "Platform: ios or android. Required, here or as expo-platform.", "ios"),
		rest.DeviceParam("header", "client-device-id",
			"Device ID, which places the device inside or outside a rollout. If absent, expo-device-id or eas-client-id.",
			rest.ExampleUUID),
		rest.DeviceParam("header", "client-user-id", "User ID for user overrides and flags. If absent, expo-user-id.", "user-42"),
		rest.DeviceParam("header", "expo-protocol-version", "Protocol version: 0 or 1; 0 by default.", "1"),
		rest.DeviceParam("header", "expo-current-update-id", "ID of the update that the device runs.", rest.ExampleUUID),
		rest.DeviceParam("header", "expo-embedded-update-id", "ID of the update inside the app.", rest.ExampleUUID),
		rest.DeviceParam("header", "expo-recent-failed-update-ids", "IDs of updates that failed to start, as a structured list.",
			`"`+rest.ExampleUUID+`"`),
		rest.DeviceParam("header", "expo-expect-signature",
			"Signature that the response must have, as a structured dictionary; none by default.",
			`sig, keyid="main", alg="rsa-v1_5-sha256"`),
		rest.DeviceParam("header", "expo-extra-params", "Parameters set by the app, as a structured dictionary.", `client-user-id="user-42"`),
	},
	Responses: map[string]*huma.Response{
		"200": {
			Description: "A manifest, or a directive: roll back to the embedded update, or no update.",
			Headers: map[string]*huma.Param{
				"expo-protocol-version": rest.AnswerHeader("Protocol version: 0 or 1, as requested."),
				"expo-manifest-filters": rest.AnswerHeader("Filters for the stored updates that the device may run."),
				"expo-signature": rest.AnswerHeader("Signature of a single-part response, if one was expected. " +
					"A multipart response has it in the part."),
				"waft-store-update-required": rest.AnswerHeader("Minimum runtime version of the channel, if the device is below it."),
			},
			Content: map[string]*huma.MediaType{
				"multipart/mixed":       {Schema: &huma.Schema{Type: huma.TypeString}, Example: "a part named manifest or directive"},
				"application/expo+json": manifestMedia,
				"application/json":      manifestMedia,
			},
		},
		"204": {Description: "No update is available, for clients that do not accept multipart."},
	},
}

// limitManifests applies the rate limit and records requests above it.
func (h *Handlers) limitManifests(c *gin.Context) {
	if err := h.Limits.Requests.Check(c); err != nil {
		if snapshot, err := h.pathProject(c); err == nil {
			h.noteUnread(c, snapshot, models.RefusedRateLimited)
		}
		rest.Fail(c, err)
	}
}

// pathProject returns the snapshot of the project in the path.
func (h *Handlers) pathProject(c *gin.Context) (*delivery.Snapshot, error) {
	slug := c.Param("projectSlug")
	snapshot, err := h.Snapshots.Project(slug)
	if models.CodeOf(err) == models.CodeNotFound {
		return h.Snapshots.Project(strings.ToLower(slug)) // a UUID may be in upper case
	}
	return snapshot, err
}

func (h *Handlers) getManifest(c *gin.Context) {
	snapshot, err := h.pathProject(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	request, err := delivery.ParseRequest(c.Request.Header, c.Request.URL.RawQuery)
	if err != nil {
		h.noteUnread(c, snapshot, malformedReason(err))
		rest.Fail(c, err)
		return
	}
	response := snapshot.Respond(request)
	h.record(c, snapshot, &request, &response)
	response.SetHeader(c.Writer.Header())
	if response.Problem != nil {
		rest.Fail(c, response.Problem)
		return
	}
	c.Writer.WriteHeader(response.Status)
	_, _ = response.Body.WriteTo(c.Writer) // an error means that the device has disconnected
}

// record records the response to a manifest request: an exposure, the updates that failed according to the device, or
// a refused request.
func (h *Handlers) record(c *gin.Context, s *delivery.Snapshot, r *delivery.Request, response *delivery.Response) {
	device := h.Limits.Device(c, s, r.DeviceID)
	h.noteManifest(&device, r, response)
	if response.Refusal != "" {
		h.noteRefused(&device, models.RefusedRequest{
			Reason: response.Refusal, Channel: r.Channel, Platform: string(r.Platform), RuntimeVersion: r.RuntimeVersion,
		})
	}
}
