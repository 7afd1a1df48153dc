package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Collector takes away what nobody needs.
type Collector interface {
	Preview(ctx context.Context, projectID int64) (models.Garbage, error)
	Run(ctx context.Context, projectID int64, actor models.Actor) (models.Garbage, error)
}

type garbageHandlers struct{ collector Collector }

const garbageRules = "Garbage are files that no build has, and builds older than the project's buildRetentionDays that no release needs: not a live one, not one deleted within 90 days, and not one that a device reported within 90 days to run. At most 500 builds at a time."

var previewGarbageDoc = huma.Operation{
	OperationID: "previewGarbage", Tags: []string{tagRetention}, Summary: "Show what a garbage collection would take",
	Description: garbageRules,
}

var collectGarbageDoc = huma.Operation{
	OperationID: "collectGarbage", Tags: []string{tagRetention}, Summary: "Collect garbage",
	Description:   "Answers what was taken. " + garbageRules,
	DefaultStatus: http.StatusOK,
}

// Garbage is what a collection takes.
type Garbage struct {
	Builds       []GarbageBuild `json:"builds" doc:"Oldest first."`
	BlobCount    int64          `json:"blobCount" doc:"Files, by content, that no other build has."`
	Bytes        int64          `json:"bytes" doc:"What these files take, with their compressed variants and patches."`
	PendingBlobs int64          `json:"pendingBlobs" doc:"Files that were given up and are still to be removed from the asset store; the next collection does so."`
}

// GarbageBuild is a build that a collection takes.
type GarbageBuild struct {
	ID             int64           `json:"id"`
	UUID           uuid.UUID       `json:"uuid" format:"uuid"`
	Platform       models.Platform `json:"platform" enum:"ios,android"`
	RuntimeVersion string          `json:"runtimeVersion"`
	Message        string          `json:"message"`
	SizeBytes      int64           `json:"sizeBytes" doc:"Of all its files, also those that other builds have."`
	CreatedAt      Time            `json:"createdAt"`
}

func garbageRecord(g models.Garbage) Garbage {
	return Garbage{
		Builds: rendered(g.Builds, garbageBuild), BlobCount: g.Blobs, Bytes: g.Bytes, PendingBlobs: g.Pending,
	}
}

func garbageBuild(b models.Build) GarbageBuild {
	return GarbageBuild{
		ID: b.ID, UUID: b.UUID, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, Message: b.Message,
		SizeBytes: b.SizeBytes, CreatedAt: Time{b.CreatedAt},
	}
}

func (Garbage) example() any {
	return Garbage{
		Builds: []GarbageBuild{{
			ID: 3, UUID: uuid.MustParse(exampleUUID), Platform: models.IOS, RuntimeVersion: "1.3.0",
			Message: "Nightly", SizeBytes: 1048576, CreatedAt: exampleTime,
		}},
		BlobCount: 2, Bytes: 1040000,
	}
}

func (h garbageHandlers) preview(ctx context.Context, _ *struct{}) (*output[Garbage], error) {
	g, err := h.collector.Preview(ctx, projectOf(ctx))
	return &output[Garbage]{garbageRecord(g)}, err
}

func (h garbageHandlers) run(ctx context.Context, _ *struct{}) (*output[Garbage], error) {
	g, err := h.collector.Run(ctx, projectOf(ctx), actorOf(ctx))
	return &output[Garbage]{garbageRecord(g)}, err
}
