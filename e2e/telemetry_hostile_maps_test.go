package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestAHostileSourceMapEndsNoProcess stores a source map with huge lists in unexpected places, as an editor. An error
// that uses the map must still be shown and grouped, and the server must keep running.
func TestAHostileSourceMapEndsNoProcess(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build := p.build()
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
	hostile := `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":` + bundleMap("mine") +
		`}],"sources":[],"names":[],"mappings":""}`
	p.do(putMap(build, hostile)).requireStatus(http.StatusOK)
	event := p.fails(release["updateUuid"], models.IOS, "Error", "x", "Error: x\n    at anonymous (address at main.jsbundle:1:10)", nil)
	frames := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(http.StatusOK)["frames"].([]any)
	require.Equal(t, "/app/cart.js", frames[0].(map[string]any)["file"])

	// A list of a million objects is not a valid name.
	bomb := `{"version":3,"sources":["a.js"],"names":[[` + strings.Repeat("{},", 1_000_000) + `{}]],"mappings":"AAAA"}`
	p.do(putMap(build, bomb)).requireStatus(http.StatusOK)
}
