package api

import (
	"bufio"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// The events are the events of the feed, each with its position. A reader that the feed drops is disconnected.
func TestAProjectStreamTellsWhatTheFeedSays(t *testing.T) {
	t.Parallel()
	s := newStreaming(t, func(d *parts) { d.Heartbeat = 0 })
	s.path = "/v1/ota/stream"
	live := make(chan models.ChangeBatch, 2)
	s.store.follow = func(context.Context, string) (models.ChangeBatch, <-chan models.ChangeBatch, error) {
		return models.ChangeBatch{Position: models.PositionAt("7:7:")}, live, nil
	}
	answer, _ := s.Open(s.keys[models.RoleViewer], "")
	require.Equal(t, 200, answer.StatusCode)
	position := models.StreamPosition{Before: "7:7:", Seen: "9:9:", Last: 40}
	live <- models.ChangeBatch{Changes: []models.ProjectChange{
		{Action: "channel.updated", EntityType: "channel", EntityID: "3", At: now, Position: position},
		{Action: "rule.created", EntityType: "rule", EntityID: "5", FlagID: 4, At: now, Position: position},
	}}
	live <- models.ChangeBatch{Reset: true, Position: models.PositionAt("9:9:")}
	close(live)
	var lines []string
	for text := bufio.NewScanner(answer.Body); text.Scan(); {
		lines = append(lines, text.Text())
	}
	at, _ := rest.Time{Time: now}.MarshalJSON()
	require.Equal(t, []string{
		"id: 7:7:/7:7:/0", "",
		"event: changed", "id: 7:7:/9:9:/40", `data: {"resource":"channels","id":3,"action":"channel.updated","at":` + string(at) + `}`, "",
		"event: changed", "id: 7:7:/9:9:/40", `data: {"resource":"flags","id":4,"action":"rule.created","at":` + string(at) + `}`, "",
		"event: reset", "id: 9:9:/9:9:/0", "data: {}", "",
	}, lines)
}
