package delivery

import (
	"fmt"

	"github.com/waft-ota/waft/internal/decide/rollout"
)

// share is the devices whose bucket under salt lies below the threshold of percentage (0–100).
type share struct {
	salt       string
	percentage float64
}

func (s share) includes(deviceID string) bool {
	return rollout.InShare(s.salt, deviceID, s.percentage)
}

// everyDevice reports whether the share includes all devices, also those without an id.
func (s share) everyDevice() bool { return rollout.Threshold(s.percentage) >= rollout.Buckets }

// explain says why the share includes the device or does not.
func (s share) explain(deviceID string) string {
	switch {
	case s.everyDevice():
		return fmt.Sprintf("its share of %v %% includes every device", s.percentage)
	case deviceID == "":
		return fmt.Sprintf("the request has no device id, so its share of %v %% does not include it", s.percentage)
	}
	compared, includes := "is below", "includes"
	if !s.includes(deviceID) {
		compared, includes = "is not below", "does not include"
	}
	return fmt.Sprintf("bucket %d %s threshold %d: its share of %v %% under %q %s the device",
		rollout.Bucket(s.salt, deviceID), compared, rollout.Threshold(s.percentage), s.percentage, s.salt, includes)
}
