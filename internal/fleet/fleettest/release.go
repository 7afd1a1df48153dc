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

// Release is an update that the server hands out.
type Release struct {
	// ID is a lower-case UUID; one is made when empty.
	ID        string
	CreatedAt time.Time
	// Platform limits it to "ios" or "android"; "" is both.
	Platform       string
	RuntimeVersion string
	Message        string
	Critical       bool
	// Percentage of devices that get it; 0 means 100.
	Percentage float64
	Bundle     []byte
	// Assets by their file extension, dot included.
	Assets   map[string][]byte
	Disabled bool

	number   int
	manifest map[string]any
}

// holds decides a device's share by a hash of its own.
func (r Release) holds(deviceID string) bool {
	if r.Percentage == 0 {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(r.ID + deviceID))
	return float64(h.Sum64()%100_000) < r.Percentage*1000
}

// render makes the manifest, once: hashing bundles for every request would be
// most of a test's work.
func (r Release) render(baseURL string) map[string]any {
	assets := []map[string]any{}
	for _, extension := range slices.Sorted(maps.Keys(r.Assets)) {
		assets = append(assets, describe(baseURL, r.Assets[extension], "image/png", extension))
	}
	return map[string]any{
		"id":             r.ID,
		"createdAt":      r.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		"runtimeVersion": r.RuntimeVersion,
		"launchAsset":    describe(baseURL, r.Bundle, "application/javascript", ".bundle"),
		"assets":         assets,
		"metadata":       map[string]any{"branchName": "main", r.key(): "1"},
		"extra": map[string]any{
			"waft": map[string]any{"releaseId": r.number, "isCritical": r.Critical, "releaseMessage": r.Message},
		},
	}
}

// key is the metadata key that only this release has, so that a filter can name
// it.
func (r Release) key() string { return fmt.Sprintf("r%d", r.number) }

func describe(baseURL string, content []byte, contentType, extension string) map[string]any {
	sum := sha256.Sum256(content)
	return map[string]any{
		"key": Key(content), "hash": base64.RawURLEncoding.EncodeToString(sum[:]),
		"url": baseURL + "/v1/ota/assets/" + Key(content), "contentType": contentType, "fileExtension": extension,
	}
}

// Key is the MD5 of content in hex.
func Key(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

func (r Release) withDefaults(number int, now time.Time) Release {
	if r.ID == "" {
		r.ID = uuid.NewString()
	}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = now
	}
	if r.RuntimeVersion == "" {
		r.RuntimeVersion = "1.0.0"
	}
	if r.Bundle == nil {
		r.Bundle = []byte("bundle of " + r.ID)
	}
	r.number = number
	return r
}
