package models_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestDevicesByRelease(t *testing.T) {
	t.Parallel()
	of := func(channel string) models.Stream {
		return models.Stream{Channel: channel, Platform: models.IOS, RuntimeVersion: "1"}
	}
	release := func(id int64, channel *string) models.Release {
		return models.Release{ID: id, UpdateUUID: uuid.New(), Channel: channel, Platform: models.IOS, RuntimeVersion: "1"}
	}
	old, next, direct := release(1, new("production")), release(2, new("production")), release(3, nil)
	unknown := release(4, new("nowhere"))
	active := []models.StreamActivity{
		{Stream: of("production"), Devices: 10, Updates: []models.UpdateDevices{
			{UpdateUUID: old.UpdateUUID.String(), Devices: 7}, {UpdateUUID: direct.UpdateUUID.String(), Devices: 2}, {Devices: 1},
		}},
		{Stream: of("beta"), Devices: 5, Updates: []models.UpdateDevices{{UpdateUUID: old.UpdateUUID.String(), Devices: 4}, {Devices: 1}}},
	}
	require.Equal(t, map[int64]models.ReleaseDevices{
		1: {Devices: 11, OfTargets: 15}, // of its channel and of the channel with devices on it
		2: {Devices: 0, OfTargets: 10},
		3: {Devices: 2, OfTargets: 10},
		4: {},
	}, models.DevicesByRelease([]models.Release{old, next, direct, unknown}, active))
}
