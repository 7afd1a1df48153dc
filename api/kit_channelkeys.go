package api

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// channelRoutes are the writes that a key for some channels may use. The store then checks that what such a call changes is
// on its channels only. Every other route for editors is closed to it, so a new one is, too.
var channelRoutes = map[string]bool{
	"POST /v1/ota/builds":                           true, // a build is on no channel
	"POST /v1/ota/builds/check":                     true,
	"HEAD /v1/ota/builds/files/{sha256}":            true,
	"PUT /v1/ota/builds/files/{sha256}":             true,
	"PUT /v1/ota/builds/{id}/sourcemap":             true,
	"POST /v1/ota/builds/{id}/publish":              true,
	"POST /v1/ota/updates":                          true,
	"PATCH /v1/ota/updates/{id}":                    true,
	"DELETE /v1/ota/updates/{id}":                   true,
	"POST /v1/ota/updates/{id}/republish":           true,
	"POST /v1/ota/rollback":                         true,
	"PATCH /v1/ota/channels/{name}":                 true,
	"PATCH /v1/ota/flags/{id}/env/{channelName}":    true,
	"POST /v1/ota/rollout-executions":               true,
	"POST /v1/ota/rollout-executions/{id}/pause":    true,
	"POST /v1/ota/rollout-executions/{id}/resume":   true,
	"POST /v1/ota/rollout-executions/{id}/advance":  true,
	"POST /v1/ota/rollout-executions/{id}/cancel":   true,
	"POST /v1/ota/rollout-executions/{id}/rollback": true,
}

// refuseChannelKeys is the middleware of writes that are not among channelRoutes.
func refuseChannelKeys(c *gin.Context) {
	key := callOf(c.Request.Context()).caller.key
	if key != nil && key.Channels != nil {
		fail(c, models.Errorf(models.CodeForbidden, "this key may only upload builds and change what the channels %s get; "+
			"this call is about more than a channel", strings.Join(key.Channels, ", ")))
	}
}

// closedToChannelKeys reports whether the route is a write that a key for some channels may not use.
func (r route) closedToChannelKeys() bool {
	return (r.access == editor || r.access == admin) && !channelRoutes[r.method+" "+r.path]
}
