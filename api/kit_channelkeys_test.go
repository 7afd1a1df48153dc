package api

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// TestAKeyForSomeChannels walks every route: reads are open to it, of the writes only those that say so.
func TestAKeyForSomeChannels(t *testing.T) {
	t.Parallel()
	found := 0
	shared := newTestAPI(t)
	for _, r := range table(t) {
		if r.Access != rest.Viewer && r.Access != rest.Editor && r.Access != rest.Admin {
			continue
		}
		open := r.Access == rest.Viewer
		if r.ChannelKeys {
			require.Equal(t, rest.Editor, r.Access)
			found++
			open = true
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			call := callOn(r)
			call.key = w.addKey(models.APIKey{ID: 300, ProjectID: demo.ID, Role: models.RoleEditor, Channels: []string{"staging"}})
			if answer := w.do(call); open {
				require.NotContains(t, []int{401, 403}, answer.Code, answer.Body.String())
			} else {
				p := w.problem(answer, 403, models.CodeForbidden)
				if r.Access == rest.Editor {
					require.Contains(t, p.Detail, "staging")
				}
			}
			call.key = w.keys[models.RoleAdmin]
			require.NotContains(t, []int{401, 403}, w.do(call).Code)
		})
	}
	require.Equal(t, 19, found)
}
