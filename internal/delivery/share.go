package delivery

import (
	"fmt"

	"github.com/waft-ota/waft/internal/rollout"
)

// share is a part of all devices: those whose bucket under salt lies below the
// threshold of percentage (0–100).
type share struct {
	salt       string
	percentage float64
}

// holds reports whether the device is in the share.
func (s share) holds(deviceID string) bool {
	return rollout.InShare(s.salt, deviceID, s.percentage)
}

// everybody reports whether the share holds every device, with or without an id.
func (s share) everybody() bool { return rollout.Threshold(s.percentage) >= rollout.Buckets }

// explain says why holds answers as it does.
func (s share) explain(deviceID string) string {
	threshold := rollout.Threshold(s.percentage)
	switch {
	case s.everybody():
		return fmt.Sprintf("its share of %v %% holds every device", s.percentage)
	case deviceID == "":
		return fmt.Sprintf("the request has no device id, so its share of %v %% cannot hold it", s.percentage)
	case s.holds(deviceID):
		return fmt.Sprintf("bucket %d is below threshold %d: its share of %v %% under %q holds the device",
			rollout.Bucket(s.salt, deviceID), threshold, s.percentage, s.salt)
	default:
		return fmt.Sprintf("bucket %d is not below threshold %d: its share of %v %% under %q does not hold the device",
			rollout.Bucket(s.salt, deviceID), threshold, s.percentage, s.salt)
	}
}
