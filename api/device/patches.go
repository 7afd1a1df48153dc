package device

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/base/qvalue"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// PatchFiles opens patches.
type PatchFiles interface {
	// OpenPatch opens the patch from the base to the target, or returns not_found.
	OpenPatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) (*assets.Reader, error)
}

// Names in patch requests and responses (RFC 3229, and expo-updates).
const (
	patchFormat         = "bsdiff"
	headerCurrentUpdate = "Expo-Current-Update-ID"
	headerBaseUpdate    = "Expo-Base-Update-ID"
)

var patchParams = []*huma.Param{
	rest.DeviceParam("header", "a-im", "`bsdiff`, if the device accepts a patch.", patchFormat),
	rest.DeviceParam("header", "expo-current-update-id", "ID of the update that the device runs, to which a patch would be applied.",
		rest.ExampleUUID),
}

// servePatch responds to a request for a launch asset with a patch if that is possible. Otherwise it returns false
// without a response, and the whole file must be sent.
func (h *Handlers) servePatch(c *gin.Context, s *delivery.Snapshot, meta delivery.AssetMeta) bool {
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
	header.Set(headerBaseUpdate, base) // not normalized, because the client compares strings
	header.Set("Content-Type", meta.ContentType)
	header.Set("Content-Length", strconv.FormatInt(file.Size(), 10))
	header.Set("Cache-Control", "private, no-store")
	header.Set("Vary", varyOf(s, meta.MD5))
	c.Status(http.StatusIMUsed)
	// If the patch is cut off, the client downloads the whole file.
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

// varyOf returns the Vary header of a file. It keeps caches from sending the file in response to requests for
// patches.
func varyOf(s *delivery.Snapshot, md5 string) string {
	if s.HasPatches(md5) {
		return "Accept-Encoding, A-IM, " + headerCurrentUpdate
	}
	return "Accept-Encoding"
}
