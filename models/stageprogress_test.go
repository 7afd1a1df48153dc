package models_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var now = time.Date(2026, 5, 4, 3, 0, 0, 0, time.UTC)

func TestClockCountsRunningTimeOnly(t *testing.T) {
	t.Parallel()
	at := func(seconds int) time.Time { return now.Add(time.Duration(seconds) * time.Second) }
	c := models.StageClock{}
	require.Zero(t, c.Elapsed(at(10)), "a clock that never started stands at 0")
	c = c.Started(at(10))
	require.Equal(t, 5*time.Second, c.Elapsed(at(15)))
	require.Equal(t, c, c.Started(at(15)), "starting a running clock changes nothing")
	c = c.Stopped(at(20))
	require.Equal(t, 10*time.Second, c.Elapsed(at(1000)))
	require.Equal(t, c, c.Stopped(at(1000)), "stopping a stopped clock changes nothing")
	c = c.Started(at(1000))
	require.Equal(t, 11*time.Second, c.Elapsed(at(1001)))
	require.Equal(t, 10*time.Second, c.Elapsed(at(999)), "time does not run backwards")
}

func TestClockSurvivesJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]models.StageClock{
		"zero":    {},
		"running": models.StageClock{Banked: 7}.Started(now),
		"stopped": {Banked: 1234567891},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(c)
			require.NoError(t, err)
			var got models.StageClock
			require.NoError(t, json.Unmarshal(text, &got))
			require.Equal(t, c.Elapsed(now.Add(time.Hour)), got.Elapsed(now.Add(time.Hour)))
		})
	}
}
