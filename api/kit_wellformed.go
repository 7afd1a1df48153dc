package api

import (
	"maps"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// wellFormed refuses what no record can be looked up by. net/url drops pairs that it
// cannot read, and a filter that is dropped looks like one that matches everything.
func wellFormed(c *gin.Context) {
	for _, p := range c.Params {
		if !models.IsText(p.Value) {
			fail(c, models.Errorf(models.CodeNotFound, "no such record: the path's %s is not text", p.Key))
			return
		}
	}
	if c.Request.URL.RawQuery == "" {
		return
	}
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		fail(c, models.Errorf(models.CodeInvalid,
			"the query is malformed: pairs of name=value are separated by &, and %% is followed by two hex digits"))
		return
	}
	var problems models.Problems
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			if !models.IsText(name) || !models.IsText(value) {
				problems.Add(name, "must be UTF-8 text without NUL characters")
				break
			}
		}
	}
	if err := problems.Err(); err != nil {
		fail(c, err)
	}
}
