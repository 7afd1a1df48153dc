package api

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/base/qvalue"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// Patches lists patches.
type Patches interface {
	ReleasePatches(ctx context.Context, projectID, releaseID int64) ([]models.Patch, error)
}

// PatchFiles opens patches.
type PatchFiles interface {
	// OpenPatch opens the patch from the base to the target, or returns not_found.
	OpenPatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) (*assets.Reader, error)
}

var listPatchesDoc = doc(tagUpdates, "listUpdatePatches", "List the patches to a release",
	"What devices can download in place of the release's whole bundle, by what they run. Patches are made in the "+
		"background after a publish; one is offered when it is at most 70 % of what the device would download "+
		"without it.")

// UpdatePatch is a binary patch from a bundle that devices run to that of a release.
type UpdatePatch struct {
	BaseUpdateID    *int64             `json:"baseUpdateId" nullable:"true" doc:"The release whose bundle it starts from; null for an update inside a binary."`
	BaseUpdateUUID  uuid.UUID          `json:"baseUpdateUuid" format:"uuid" doc:"The update whose bundle it starts from. Devices that run another one with the same bundle get it as well."`
	Status          models.PatchStatus `json:"status" enum:"pending,offered,skipped" doc:"Pending while it is being made; devices get the whole bundle unless it is offered."`
	SizeBytes       int64              `json:"sizeBytes" doc:"Of the patch; 0 when none was made."`
	FullBytes       int64              `json:"fullBytes" doc:"Of the release's bundle."`
	CompressedBytes int64              `json:"compressedBytes" doc:"Of the smallest form in which the whole bundle is downloaded."`
	Reason          string             `json:"reason" doc:"Why it is skipped."`
	DurationMs      int64              `json:"durationMs" doc:"How long it took to make and to check."`
}

func patchRecord(p models.Patch) UpdatePatch {
	return UpdatePatch{
		BaseUpdateID: p.BaseReleaseID, BaseUpdateUUID: p.BaseUpdateUUID, Status: p.Status, SizeBytes: p.SizeBytes,
		FullBytes: p.FullBytes, CompressedBytes: p.CompressedBytes, Reason: p.Reason, DurationMs: p.DurationMillis,
	}
}

func (UpdatePatch) example() any {
	return UpdatePatch{
		BaseUpdateID: new(int64(1041)), BaseUpdateUUID: uuid.MustParse(exampleUUID), Status: models.PatchOffered,
		SizeBytes: 53187, FullBytes: 1465824, CompressedBytes: 498201, DurationMs: 412,
	}
}

func (h *handlers) listPatches(ctx context.Context, in *idInput) (*output[[]UpdatePatch], error) {
	found, err := h.Patches.ReleasePatches(ctx, projectOf(ctx), in.ID)
	return &output[[]UpdatePatch]{rendered(found, patchRecord)}, err
}

// Names of patch requests and answers (RFC 3229, and expo-updates).
const (
	patchFormat         = "bsdiff"
	headerCurrentUpdate = "Expo-Current-Update-ID"
	headerBaseUpdate    = "Expo-Base-Update-ID"
)

var patchParams = []*huma.Param{
	deviceParam("header", "a-im", "bsdiff, if the device accepts a patch.", patchFormat),
	deviceParam("header", "expo-current-update-id", "The update that the device runs, to which a patch would be applied.", exampleUUID),
}

// servePatch answers a request for a launch asset with a patch if that is possible. It
// returns false, without an answer, if the whole file must be sent.
func (h *handlers) servePatch(c *gin.Context, s *delivery.Snapshot, meta delivery.AssetMeta) bool {
	r := c.Request
	base := r.Header.Get(headerCurrentUpdate)
	if r.Method != http.MethodGet || r.Header.Get("Range") != "" || r.Header.Get("If-None-Match") != "" || !takesPatches(r.Header) {
		return false
	}
	running, err := models.ParseUpdateID(base)
	if err != nil {
		return false
	}
	patch, ok := s.Patch(meta.MD5, running.String())
	if !ok {
		return false
	}
	file, err := h.PatchFiles.OpenPatch(r.Context(), meta.ProjectID, patch.TargetMD5, patch.BaseMD5)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	if file.Size() != patch.SizeBytes {
		return false
	}
	header := c.Writer.Header()
	header.Set("IM", patchFormat)
	header.Set(headerBaseUpdate, base) // unchanged, because the client compares texts
	header.Set("Content-Type", meta.ContentType)
	header.Set("Content-Length", strconv.FormatInt(file.Size(), 10))
	header.Set("Cache-Control", "private, no-store")
	header.Set("Vary", varyOf(s, meta.MD5))
	c.Status(http.StatusIMUsed)
	// After an incomplete patch the client downloads the whole file.
	_, _ = io.Copy(c.Writer, file)
	return true
}

// takesPatches reports whether the A-IM header lists bsdiff.
func takesPatches(h http.Header) bool {
	for _, value := range h.Values("A-IM") {
		for e := range qvalue.Elements(value) {
			if e.Name == patchFormat {
				return e.Weight > 0
			}
		}
	}
	return false
}

// varyOf is the Vary header of a file, so that a cache does not answer requests for
// patches with the file.
func varyOf(s *delivery.Snapshot, md5 string) string {
	if s.HasPatches(md5) {
		return "Accept-Encoding, A-IM, " + headerCurrentUpdate
	}
	return "Accept-Encoding"
}
