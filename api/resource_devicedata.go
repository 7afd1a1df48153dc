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

type eraseHandlers struct{ eraser Eraser }

var eraseDeviceDoc = huma.Operation{
	OperationID: "eraseDeviceData", Tags: []string{tagRetention}, Summary: "Delete a device's data",
	Description: "Deletes its events, reports and downloads, what telemetry knows of it on each release and day, " +
		"and the contexts and user overrides whose key is the device id. 204: it is gone. 202: telemetry is away or slow; " +
		"it is deleted as soon as it can be, whatever restarts in between. Either way, what the device sent within the seconds before is " +
		"deleted with a second pass a minute later. Numbers of devices and events that were counted already stay, and so does the audit log. " +
		"What the device sends from now on is kept like that of any other.",
	DefaultStatus: http.StatusNoContent,
	Responses: map[string]*huma.Response{
		"202": {Description: "The data will be deleted."},
		"204": {Description: "The data is gone."},
	},
	Errors: []int{http.StatusServiceUnavailable},
}

type eraseDeviceInput struct {
	DeviceID string `path:"deviceId" minLength:"1" maxLength:"256" doc:"As the device sends it, in any case." example:"2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11"`
}

type eraseDeviceOutput struct{ Status int }

func (h eraseHandlers) erase(ctx context.Context, in *eraseDeviceInput) (*eraseDeviceOutput, error) {
	done, err := h.eraser.Erase(ctx, projectOf(ctx), actorOf(ctx), in.DeviceID)
	if done {
		return &eraseDeviceOutput{http.StatusNoContent}, err
	}
	return &eraseDeviceOutput{http.StatusAccepted}, err
}
