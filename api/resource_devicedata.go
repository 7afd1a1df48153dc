package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Eraser deletes the data of devices.
type Eraser interface {
	// Erase makes sure that the device's data goes; done says that it is gone.
	Erase(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (done bool, err error)
}

var eraseDeviceDoc = huma.Operation{
	OperationID: "eraseDeviceData", Tags: []string{tagRetention}, Summary: "Delete a device's data",
	Description: "Deletes its events, reports and downloads, its rows for each release and day, " +
		"and the contexts and user overrides whose key is the device id. 204: the data is deleted. 202: telemetry is unavailable or slow; " +
		"the data will be deleted, also if Waft restarts in between. In both cases what the device sent in the last seconds is " +
		"deleted by a second pass a minute later. Counts of devices and events, and the audit log, stay. " +
		"Later reports of the device are stored as usual.",
	DefaultStatus: http.StatusNoContent,
	Responses: map[string]*huma.Response{
		"202": {Description: "The data will be deleted."},
		"204": {Description: "The data is deleted."},
	},
	Errors: []int{http.StatusServiceUnavailable},
}

type eraseDeviceInput struct {
	DeviceID string `path:"deviceId" minLength:"1" maxLength:"256" doc:"As the device sends it, in any case." example:"2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11"`
}

type eraseDeviceOutput struct{ Status int }

func (h *handlers) eraseDevice(ctx context.Context, in *eraseDeviceInput) (*eraseDeviceOutput, error) {
	done, err := h.Eraser.Erase(ctx, projectOf(ctx), actorOf(ctx), in.DeviceID)
	h.recent.forget() // the device's next exposure must be recorded like its first
	if done {
		return &eraseDeviceOutput{http.StatusNoContent}, err
	}
	return &eraseDeviceOutput{http.StatusAccepted}, err
}
