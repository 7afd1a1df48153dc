package api

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Collector deletes builds and files that nothing needs.
type Collector interface {
	Preview(ctx context.Context, projectID int64) (models.Garbage, error)
	Run(ctx context.Context, projectID int64, actor models.Actor) (models.Garbage, error)
}

const garbageRules = "A cleanup deletes files that belong to no build, and builds older than the project's buildRetentionDays that no release needs. A release needs its build while it exists, for 90 days after it is deleted, and for 90 days after a device last reported running it. A cleanup deletes at most 500 builds."

var (
	previewGarbageDoc = doc(tagRetention, "previewGarbage", "Preview a cleanup", garbageRules)
	collectGarbageDoc = doc(tagRetention, "collectGarbage", "Run a cleanup",
		"Answers what was deleted. "+garbageRules)
)

// Garbage is what a cleanup deletes.
type Garbage struct {
	Builds       []GarbageBuild `json:"builds" doc:"Oldest first."`
	BlobCount    int64          `json:"blobCount" doc:"Files, by content, that no other build has."`
	Bytes        int64          `json:"bytes" doc:"What these files take, with their compressed variants and patches."`
	PendingBlobs int64          `json:"pendingBlobs" doc:"Files that are no longer used and that the next cleanup deletes from the asset store."`
}

// GarbageBuild is a build that a cleanup deletes.
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

func (h *handlers) previewGarbage(ctx context.Context, _ *struct{}) (*output[Garbage], error) {
	g, err := h.Collector.Preview(ctx, projectOf(ctx))
	return &output[Garbage]{garbageRecord(g)}, err
}

func (h *handlers) collectGarbage(ctx context.Context, _ *struct{}) (*output[Garbage], error) {
	g, err := h.Collector.Run(ctx, projectOf(ctx), actorOf(ctx))
	return &output[Garbage]{garbageRecord(g)}, err
}
