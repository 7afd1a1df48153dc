package rest

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// refuseChannelKeys is the middleware of writes that keys for some channels may not use.
func refuseChannelKeys(c *gin.Context) {
	key := CallOf(c.Request.Context()).Caller.Key
	if key != nil && key.Channels != nil {
		Fail(c, models.Errorf(models.CodeForbidden, "this key may only upload builds and change what the channels %s get; "+
			"this call is about more than a channel", strings.Join(key.Channels, ", ")))
	}
}

// closedToChannelKeys reports whether the route is a write that a key for some channels may not use.
func (r Route) closedToChannelKeys() bool {
	return (r.Access == Editor || r.Access == Admin) && !r.ChannelKeys
}
