package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestMergeStreams(t *testing.T) {
	t.Parallel()
	of := func(channel string) models.Stream {
		return models.Stream{Channel: channel, Platform: models.IOS, RuntimeVersion: "1"}
	}
	at := func(second int64) *models.Release { return &models.Release{CreatedAt: time.Unix(second, 0)} }
	served := []models.ServedStream{
		{Stream: of("old"), Newest: at(1)}, {Stream: of("new"), Newest: at(2)}, {Stream: of("empty")}, {Stream: of("busy"), IsPaused: true},
	}
	active := []models.StreamActivity{{Stream: of("busy"), Devices: 5}, {Stream: of("unknown"), Devices: 7}, {Stream: of("refused"), Refused: 9}}
	var names []string
	for _, s := range models.MergeStreams(served, active, 10) {
		require.Equal(t, s.ServedStream.Stream, s.StreamActivity.Stream)
		names = append(names, s.ServedStream.Channel)
	}
	require.Equal(t, []string{"unknown", "busy", "new", "old", "empty", "refused"}, names)
	busy := models.MergeStreams(served, active, 2)[1]
	require.True(t, busy.IsPaused)
	require.EqualValues(t, 5, busy.Devices)
	require.Len(t, models.MergeStreams(served, active, 2), 2)
}
