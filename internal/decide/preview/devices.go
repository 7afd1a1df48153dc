package preview

import (
	"math"
	"reflect"
	"slices"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// QueryOf returns the query for the devices that a call may affect. A query without channels and updates matches no device.
func QueryOf(c models.PreviewedChange, d Difference) (q models.PreviewQuery) {
	q.Updates = relinked(c, d)
	for _, channel := range append(slices.Clone(c.Before.Served.Channels), c.After.Served.Channels...) {
		q.Channels = append(q.Channels, channel.Name)
	}
	slices.Sort(q.Channels)
	q.Channels = slices.Compact(q.Channels)
	if changedChannels(c) {
		return q // for all platforms and runtime versions
	}
	for _, id := range idsOf(c.Before.Releases, c.After.Releases) {
		r, ok := c.After.Releases[id]
		if !ok {
			r = c.Before.Releases[id]
		}
		q.Streams = append(q.Streams, models.Stream{Platform: r.Platform, RuntimeVersion: r.RuntimeVersion})
	}
	slices.SortFunc(q.Streams, models.Stream.Compare)
	q.Streams = slices.Compact(q.Streams)
	if len(q.Streams) == 0 {
		q.Channels = nil // no release changes
	}
	return q
}

func changedChannels(c models.PreviewedChange) bool {
	return !slices.EqualFunc(c.Before.Served.Channels, c.After.Served.Channels, func(a, b models.Channel) bool {
		a.UpdatedAt = b.UpdatedAt
		return reflect.DeepEqual(a, b)
	})
}

// relinked returns the UUIDs of the releases that would set other flags. A device may run such a release even if its channel
// no longer points to the release's branch.
func relinked(c models.PreviewedChange, d Difference) (updates []string) {
	for _, f := range d.Flags {
		if f.UpdateID != 0 {
			updates = append(updates, c.After.Releases[f.UpdateID].UpdateUUID.String())
		}
	}
	slices.Sort(updates)
	return slices.Compact(updates)
}

// Affected returns the number of affected devices. A device is affected if the next manifest request would get another
// response than now, given the release that the device last reported, or if that release would set other flags. Affected
// extrapolates from a sample. It does not know the user overrides of devices.
func Affected(c models.PreviewedChange, d Difference, seen models.SeenDevices) (int64, error) {
	before, err := delivery.NewAnswers(c.Before.Served)
	if err != nil {
		return 0, err
	}
	after, err := delivery.NewAnswers(c.After.Served)
	if err != nil {
		return 0, err
	}
	relinked, affected := relinked(c, d), int64(0)
	for _, device := range seen.List {
		r := delivery.Request{
			Channel: device.Channel, Platform: device.Platform, RuntimeVersion: device.RuntimeVersion, DeviceID: device.DeviceID,
			CurrentUpdateUUID: device.UpdateUUID, EmbeddedUpdateUUID: delivery.UnknownEmbedded,
		}
		if device.UpdateUUID == "" {
			r.CurrentUpdateUUID = delivery.UnknownEmbedded
		}
		if slices.Contains(relinked, device.UpdateUUID) || before.To(r) != after.To(r) {
			affected++
		}
	}
	if listed := int64(len(seen.List)); listed < seen.Total {
		affected = int64(math.Round(float64(affected) * float64(seen.Total) / float64(max(listed, 1))))
	}
	return affected, nil
}
