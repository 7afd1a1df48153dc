package fleet

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// idSpace is the namespace of the name-based UUIDs in this package.
var idSpace = uuid.MustParse("6f1d0f0a-3c55-4b0e-9a53-0c2f6d6f7a11")

// embeddedAt is the commit time of the embedded update. It is earlier than the commit time of every update in a test or
// demo.
var embeddedAt = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Identity is the constant part of a device.
type Identity struct {
	// Index is the device's position in the fleet, from 0.
	Index int
	// ID is the device ID, a lower-case UUID.
	ID             string
	Platform       models.Platform
	RuntimeVersion string
	Channel        string
	// EmbeddedID is the ID of the embedded update, a lower-case UUID. All devices with the same binary share it.
	EmbeddedID string
}

// identify returns the device at index. The same options always give the same device.
func identify(o Options, index int) Identity {
	platform := models.Android
	if isIOS(index, o.IOSPercent) {
		platform = models.IOS
	}
	return Identity{
		Index:          index,
		ID:             DeviceID(o.Seed, index),
		Platform:       platform,
		RuntimeVersion: o.RuntimeVersion,
		Channel:        o.Channel,
		EmbeddedID:     EmbeddedID(platform, o.RuntimeVersion),
	}
}

// DeviceID returns the ID of the device at index in the fleet with the given seed.
func DeviceID(seed int64, index int) string {
	return uuid.NewSHA1(idSpace, fmt.Appendf(nil, "device/%d/%d", seed, index)).String()
}

// EmbeddedID returns the ID of the embedded update for a platform and runtime version.
func EmbeddedID(p models.Platform, runtimeVersion string) string {
	return uuid.NewSHA1(idSpace, fmt.Appendf(nil, "embedded/%s/%s", p, runtimeVersion)).String()
}

// isIOS reports whether the device at index runs iOS. It spreads iOS devices evenly, so that the first n devices have
// the same mix for every n.
func isIOS(index int, percent float64) bool {
	share := percent / 100
	return math.Floor(float64(index+1)*share) > math.Floor(float64(index)*share)
}

// easClientID returns the device ID as the platform's client sends it: in upper case on iOS.
func (i Identity) easClientID() string {
	if i.Platform == models.IOS {
		return strings.ToUpper(i.ID)
	}
	return i.ID
}
