package rest

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// refuseChannelKeys refuses keys that are limited to some channels. It is the middleware of writes that such keys may
// not use.
func refuseChannelKeys(c *gin.Context) {
	key := CallOf(c.Request.Context()).Caller.Key
	if key != nil && key.Channels != nil {
		Fail(c, models.Errorf(models.CodeForbidden, "this key may only upload builds and change the channels %s; this call "+
			"affects more than these channels", strings.Join(key.Channels, ", ")))
	}
}

// closedToChannelKeys reports whether the route is a write that keys limited to some channels may not use.
func (r Route) closedToChannelKeys() bool {
	return (r.Access == Editor || r.Access == Admin) && !r.ChannelKeys
}
