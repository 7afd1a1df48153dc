package device

import (
	"encoding/json"
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// streamDefinitions tells a client that evaluates flags by itself the version of a channel's definitions: first, and
// whenever it changes. The client then gets the definitions, which a cache or an ETag may save it.
func (h *Handlers) streamDefinitions(c *gin.Context, s *delivery.Snapshot) {
	projectID, channel := s.Project().ID, c.Query("channel")
	// Watching begins before the first look, so that no change is missed.
	changed := h.Snapshots.Changed(projectID)
	if now, err := h.Snapshots.ProjectByID(projectID); err == nil {
		s = now
	}
	told, err := definitionsVersion(s, channel)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	stream, err := h.Gate.OpenStream(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	defer stream.Close()
	access.Follow(stream, definitionsEvent(told), changed, func(struct{}, bool) ([]byte, <-chan struct{}, error) {
		changed := h.Snapshots.Changed(projectID)
		s, err := h.Snapshots.ProjectByID(projectID)
		if err != nil {
			return nil, nil, err // the project is gone
		}
		version, err := definitionsVersion(s, channel)
		if err != nil || version == told {
			return nil, changed, err // the channel is gone, or has what the client knows
		}
		told = version
		return definitionsEvent(told), changed, nil
	})
}

// definitionsVersion is the version of the definitions of a channel, which "" does not name.
func definitionsVersion(s *delivery.Snapshot, channel string) (string, error) {
	document, ok, err := s.FlagDefinitions().Channel(channel)
	if err == nil && !ok {
		err = models.Errorf(models.CodeNotFound, "the project has no channel %q", channel)
	}
	return document.Version, err
}

func definitionsEvent(version string) []byte {
	data, _ := json.Marshal(map[string]string{"version": version}) // texts can always be written
	return fmt.Appendf(nil, "event: definitions\ndata: %s\n\n", data)
}
