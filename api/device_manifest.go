package api

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// manifestMedia documents a manifest by itself.
var manifestMedia = &huma.MediaType{
	Schema:  &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
	Example: map[string]any{"id": exampleUUID, "createdAt": exampleTime, "runtimeVersion": "1.4.0"},
}

var manifestDoc = huma.Operation{
	OperationID: "getManifest", Tags: []string{tagDevices}, Summary: "Get the update for a device",
	Description: "The Expo Updates protocol, versions 0 and 1. Without a client-* header, the expo-* header of the same name is used.",
	Errors:      []int{http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable, http.StatusTooManyRequests},
	Parameters: []*huma.Param{
		projectParam,
		deviceParam("query", "channel", "Channel, for clients that cannot send its header.", "production"),
		deviceParam("header", "client-channel-name", "Channel to check. Required, here or as expo-channel-name or channel.", "production"),
		deviceParam("header", "client-runtime-version", "Runtime version of the app. Required, here or as expo-runtime-version.", "1.4.0"),
		deviceParam("header", "client-platform", "ios or android. Required, here or as expo-platform.", "ios"),
		deviceParam("header", "client-device-id", "Decides which shares hold the device; else expo-device-id, eas-client-id.", exampleUUID),
		deviceParam("header", "client-user-id", "For user overrides and flags; else expo-user-id.", "user-42"),
		deviceParam("header", "expo-protocol-version", "0 or 1; 0 when absent.", "1"),
		deviceParam("header", "expo-current-update-id", "The update that the device runs.", exampleUUID),
		deviceParam("header", "expo-embedded-update-id", "The update inside the app.", exampleUUID),
		deviceParam("header", "expo-recent-failed-update-ids", "Updates that failed to start, as a structured list.", `"`+exampleUUID+`"`),
		deviceParam("header", "expo-expect-signature", "The signature that the answer must have, as a structured dictionary; none when absent.",
			`sig, keyid="main", alg="rsa-v1_5-sha256"`),
		deviceParam("header", "expo-extra-params", "Parameters that the app set, as a structured dictionary.", `client-user-id="user-42"`),
	},
	Responses: map[string]*huma.Response{
		"200": {
			Description: "A manifest, or a directive: roll back to the embedded update, or no update.",
			Headers: map[string]*huma.Param{
				"expo-protocol-version":      answerHeader("0 or 1, as requested."),
				"expo-manifest-filters":      answerHeader("Which stored updates the device may run."),
				"expo-signature":             answerHeader("Signature of a single-part answer, when it was expected; multipart has it in its part."),
				"waft-store-update-required": answerHeader("The channel's minimum runtime version, when the device is below it."),
			},
			Content: map[string]*huma.MediaType{
				"multipart/mixed":       {Schema: &huma.Schema{Type: huma.TypeString}, Example: "a part named manifest or directive"},
				"application/expo+json": manifestMedia,
				"application/json":      manifestMedia,
			},
		},
		"204": {Description: "No update, for clients that do not accept multipart."},
	},
}

// limitManifests applies the rate limit and records requests above it.
func (h *DeviceHandlers) limitManifests(c *gin.Context) {
	if err := h.Limits.requests.check(c); err != nil {
		if snapshot, err := h.pathProject(c); err == nil {
			h.noteRefused(c, snapshot, refusedRequest(c.Request, models.RefusedRateLimited))
		}
		fail(c, err)
	}
}

// pathProject is the project in the path.
func (h *DeviceHandlers) pathProject(c *gin.Context) (*delivery.Snapshot, error) {
	slug := c.Param("projectSlug")
	snapshot, err := h.Snapshots.Project(slug)
	if models.CodeOf(err) == models.CodeNotFound {
		return h.Snapshots.Project(strings.ToLower(slug)) // a UUID may be in upper case
	}
	return snapshot, err
}

func (h *DeviceHandlers) getManifest(c *gin.Context) {
	snapshot, err := h.pathProject(c)
	if err != nil {
		fail(c, err)
		return
	}
	request, err := delivery.ParseRequest(c.Request.Header, c.Request.URL.RawQuery)
	if err != nil {
		h.noteRefused(c, snapshot, refusedRequest(c.Request, malformedReason(err)))
		fail(c, err)
		return
	}
	decision := snapshot.Resolve(request)
	answer := snapshot.Render(decision, request)
	answer.SetHeader(c.Writer.Header())
	answered := answer.Problem == nil
	exposed := answered && decision.ExposureKind() != "" || len(request.RecentFailed) > 0
	if exposed && request.DeviceID != "" && h.Limits.newDevices.admitExposure(c, snapshot, request.DeviceID) {
		h.noteManifest(c, snapshot, &request, &decision, answered)
	}
	if reason := decision.Refusal(); reason != "" {
		h.noteRefused(c, snapshot, models.RefusedRequest{
			Reason: reason, Channel: request.Channel, Platform: string(request.Platform),
			RuntimeVersion: request.RuntimeVersion, DeviceID: request.DeviceID,
		})
	}
	if answer.Problem != nil {
		fail(c, answer.Problem)
		return
	}
	c.Writer.WriteHeader(answer.Status)
	_, _ = answer.Body.WriteTo(c.Writer) // a device that disconnected needs no answer
}
