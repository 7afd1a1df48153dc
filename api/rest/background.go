package rest

import "github.com/gin-gonic/gin"

// HeaderBackground is the header of a request that was not caused by a person, such as a request from a timer. Its
// value is 1.
const HeaderBackground = "Waft-Background"

// noteBackground returns the middleware that records whether a person caused the request.
func noteBackground(streams bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		CallOf(c.Request.Context()).Background = streams || c.GetHeader(HeaderBackground) == "1"
	}
}
