package fleettest

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Release is an update that the server serves.
type Release struct {
	// ID is a lower-case UUID. Publish sets it.
	ID string
	// Platform limits the release to "ios" or "android"; "" means both.
	Platform string
	Message  string
	Critical bool
	// Percentage of devices that get the release; 0 means 100.
	Percentage float64
	Bundle     []byte
	// Assets by file extension, including the dot.
	Assets   map[string][]byte
	Disabled bool

	number    int
	createdAt time.Time
	manifest  map[string]any
}

// holds reports whether the device is inside the rollout. It uses another hash than Waft.
func (r Release) holds(deviceID string) bool {
	if r.Percentage == 0 {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(r.ID + deviceID))
	return float64(h.Sum64()%100_000) < r.Percentage*1000
}

func (r Release) render(baseURL string) map[string]any {
	assets := []map[string]any{}
	for _, extension := range slices.Sorted(maps.Keys(r.Assets)) {
		assets = append(assets, describe(baseURL, r.Assets[extension], "image/png", extension))
	}
	return map[string]any{
		"id":             r.ID,
		"createdAt":      r.createdAt.Format("2006-01-02T15:04:05.000Z"),
		"runtimeVersion": "1.0.0",
		"launchAsset":    describe(baseURL, r.Bundle, "application/javascript", ".bundle"),
		"assets":         assets,
		"metadata":       map[string]any{"branchName": "main", r.key(): "1"},
		"extra": map[string]any{
			"waft": map[string]any{"releaseId": r.number, "isCritical": r.Critical, "releaseMessage": r.Message},
		},
	}
}

// key returns a metadata key that only this release has, for filters.
func (r Release) key() string { return fmt.Sprintf("r%d", r.number) }

func describe(baseURL string, content []byte, contentType, extension string) map[string]any {
	sum := sha256.Sum256(content)
	return map[string]any{
		"key": Key(content), "hash": base64.RawURLEncoding.EncodeToString(sum[:]),
		"url": baseURL + "/v1/ota/assets/" + Key(content), "contentType": contentType, "fileExtension": extension,
	}
}

// Key returns the MD5 of content in hex.
func Key(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

func (r Release) withDefaults(number int, now time.Time) Release {
	r.ID, r.number, r.createdAt = uuid.NewString(), number, now
	if r.Bundle == nil {
		r.Bundle = []byte("bundle of " + r.ID)
	}
	return r
}
