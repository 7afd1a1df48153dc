package device

import (
	"encoding/json"
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
)

// streamDefinitions sends the version of a channel's definitions to a client that evaluates flags itself: first the
// current version, then each new one. The client then gets the definitions, unless a cache or an ETag saves the
// download.
func (h *Handlers) streamDefinitions(c *gin.Context, s *delivery.Snapshot) {
	projectID, channel := s.Project().ID, c.Query("channel")
	// Watching begins before the first read, so that no change is missed.
	changed := h.Snapshots.Changed(projectID)
	if now, err := h.Snapshots.ProjectByID(projectID); err == nil {
		s = now
	}
	told, err := h.definitions(c.Request.Context(), s, channel)
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
	access.Follow(stream, definitionsEvent(told.Version), changed, func(struct{}, bool) ([]byte, <-chan struct{}, error) {
		changed := h.Snapshots.Changed(projectID)
		s, err := h.Snapshots.ProjectByID(projectID)
		if err != nil {
			return nil, nil, err // the project was deleted
		}
		now, err := h.definitions(c.Request.Context(), s, channel)
		if err != nil || now.Version == told.Version {
			return nil, changed, err // the channel was deleted, its turn did not come, or its version is unchanged
		}
		told = now
		return definitionsEvent(told.Version), changed, nil
	})
}

func definitionsEvent(version string) []byte {
	data, _ := json.Marshal(map[string]string{"version": version}) // cannot fail: strings can always be encoded
	return fmt.Appendf(nil, "event: definitions\ndata: %s\n\n", data)
}
