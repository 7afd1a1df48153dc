package api

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// TelemetryEvent is one event of a device's report.
type TelemetryEvent struct {
	ID             string                 `json:"id" doc:"Id of the report and the event's position in it."`
	ReceivedAt     Time                   `json:"receivedAt" doc:"By the clock of the server."`
	Type           models.HealthEventType `json:"type" enum:"js_error,crash,custom,app_launch"`
	Name           string                 `json:"name"`
	Message        string                 `json:"message"`
	ErrorName      string                 `json:"errorName"`
	IsFatal        bool                   `json:"isFatal"`
	Count          int64                  `json:"count" doc:"How often it occurred."`
	StackTrace     string                 `json:"stackTrace"`
	ComponentStack string                 `json:"componentStack"`
	Tags           map[string]string      `json:"tags"`
	FlagStates     map[string]string      `json:"flagStates" doc:"Flag variations that were active at the time."`
	DeviceID       string                 `json:"deviceId" doc:"A hash of it where the project's settings say so."`
	Platform       models.Platform        `json:"platform" enum:"ios,android"`
	Channel        string                 `json:"channel"`
	RuntimeVersion string                 `json:"runtimeVersion"`
	UpdateUUID     *uuid.UUID             `json:"updateUuid" nullable:"true" format:"uuid" doc:"Null for the embedded update."`
}

func telemetryEvent(e models.TelemetryEvent) TelemetryEvent {
	return TelemetryEvent{
		ID: e.ID, ReceivedAt: Time{e.ReceivedAt}, Type: e.Type, Name: e.Name, Message: e.Message, ErrorName: e.ErrorName,
		IsFatal: e.IsFatal, Count: e.Count, StackTrace: e.StackTrace, ComponentStack: e.ComponentStack, Tags: e.Tags.Map(),
		FlagStates: e.FlagStates.Map(), DeviceID: e.DeviceID, Platform: e.Platform, Channel: e.Channel,
		RuntimeVersion: e.RuntimeVersion, UpdateUUID: uuidOrNull(e.UpdateUUID),
	}
}

func (TelemetryEvent) example() any {
	return TelemetryEvent{
		ID: exampleUUID + "-1", ReceivedAt: exampleTime, Type: models.EventJSError, Message: "undefined is not an object",
		ErrorName: "TypeError", Count: 2, Tags: map[string]string{"screen": "cart"}, FlagStates: map[string]string{"new-checkout": "true"},
		DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", Platform: models.IOS, Channel: "production", RuntimeVersion: "1.4.0",
		UpdateUUID: new(uuid.MustParse(exampleUUID)),
	}
}

// RefusedRequests is how many devices get no update for one reason.
type RefusedRequests struct {
	Reason         models.RefusalReason `json:"reason" enum:"unknown_channel,missing_channel,missing_platform,missing_runtime_version,bad_request,no_release,rate_limited" doc:"no_release: the branch has no release for the platform and runtime version. rate_limited: the device or its address exceeded the rate limit."`
	Channel        string               `json:"channel" doc:"As the device sends it; empty if it sends none, (other) beyond the cardinality limit."`
	Platform       string               `json:"platform"`
	RuntimeVersion string               `json:"runtimeVersion"`
	Devices        int64                `json:"devices" doc:"Distinct devices among the requests with a device id."`
	Requests       int64                `json:"requests"`
	LastSeenAt     Time                 `json:"lastSeenAt"`
}

func refusedRequests(r models.RefusedSummary) RefusedRequests {
	return RefusedRequests{
		Reason: r.Reason, Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, Devices: r.Devices,
		Requests: r.Requests, LastSeenAt: Time{r.LastSeenAt},
	}
}

func (RefusedRequests) example() any {
	return RefusedRequests{
		Reason: models.RefusedUnknownChannel, Channel: "prodution", Platform: "ios", RuntimeVersion: "1.4.0", Devices: 12, Requests: 340,
		LastSeenAt: exampleTime,
	}
}
