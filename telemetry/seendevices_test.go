package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestSeenDevices(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	reports := streamReports(now)
	reports = append(reports, testReport("", models.EventAppLaunch))
	foreign := testReport("foreign", models.EventAppLaunch)
	foreign.ProjectID = 8
	require.NoError(t, insertAll(t, c, "token", append(reports, foreign)))
	read := func(q models.PreviewQuery) models.SeenDevices {
		seen, err := c.SeenDevices(t.Context(), 7, q, now)
		require.NoError(t, err)
		return seen
	}
	stream := models.Stream{Platform: models.IOS, RuntimeVersion: "1.4.0"}
	all := read(models.PreviewQuery{Channels: []string{"production", "staging"}, Streams: []models.Stream{stream}})
	require.Len(t, all.List, 1004, "devices with an ID that reported in the last 24 hours")
	require.EqualValues(t, 1004, all.Total)
	updates := map[string]int{}
	for _, d := range all.List {
		require.Equal(t, stream.RuntimeVersion, d.RuntimeVersion)
		updates[d.Channel+" "+d.UpdateUUID]++
	}
	require.Equal(t, map[string]int{"production new": 900, "production old": 100, "staging ": 2, "staging new": 2}, updates)
	require.Len(t, read(models.PreviewQuery{Channels: []string{"staging"}}).List, 4)
	stream.Platform = models.Android
	require.Empty(t, read(models.PreviewQuery{Channels: []string{"staging"}, Streams: []models.Stream{stream}}).List)
	require.Empty(t, read(models.PreviewQuery{}).List)
	require.Len(t, read(models.PreviewQuery{Updates: []string{"old"}}).List, 100)
	require.Len(t, read(models.PreviewQuery{
		Channels: []string{"staging"}, Streams: []models.Stream{stream}, Updates: []string{"new", "unknown"},
	}).List, 902, "whatever their channel and platform")
	require.Len(t, read(models.PreviewQuery{Channels: []string{"staging"}, Updates: []string{"new"}}).List, 904, "each device counts once")

	c.exactRows, c.sampledDevices = 500, 250
	sample := read(models.PreviewQuery{Channels: []string{"production"}})
	require.EqualValues(t, 1000, sample.Total)
	require.InDelta(t, 250, len(sample.List), 5*15)
	require.Len(t, read(models.PreviewQuery{Channels: []string{"staging"}}).List, 4, "few devices are not sampled")
}
