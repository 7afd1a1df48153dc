package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// identified gives, for each path, the record field that may replace the ID in the path.
var identified = map[string]string{
	"/v1/ota/updates":            "updateUuid",
	"/v1/ota/builds":             "uuid",
	"/v1/ota/rollout-executions": "workflowId",
}

// TestEveryPathTakesTheOtherIdentifierOfARecord calls every route that has an {id} with the record's other identifier,
// with the identifier of another project's record, and with an unknown identifier.
func TestEveryPathTakesTheOtherIdentifierOfARecord(t *testing.T) {
	t.Parallel()
	server := installWithPasskeys(t)
	met := map[string]bool{}
	for i, r := range allRoutes(t) {
		records, _, ok := strings.Cut(r.path, "/{id}")
		if !ok {
			continue
		}
		met[records] = true
		if (i+1)%enginetest.Sized(1, 3) != 0 {
			continue
		}
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			p, stranger := server.tenant(t), server.tenant(t)
			call := r.call(p)
			call.key = p.keys[models.Role(r.access)]
			id, rest, _ := strings.Cut(strings.TrimPrefix(call.path, records+"/"), "/")
			named := func(identifier string) request {
				c := call
				c.path = records + "/" + url.PathEscape(identifier)
				if rest != "" {
					c.path += "/" + rest
				}
				return c
			}
			for _, nobody := range []string{uuid.NewString(), "no-id", "rollout/" + p.slug + "/1"} {
				p.do(named(nobody)).problem(http.StatusNotFound, models.CodeNotFound)
			}
			field, ok := identified[records]
			if !ok {
				require.Equal(t, r.status, p.do(call).status)
				return
			}
			before := p.listed(records, id)
			identifier := before[field].(string)
			foreign := named(identifier)
			foreign.key = stranger.keys[models.RoleAdmin]
			stranger.do(foreign).problem(http.StatusNotFound, models.CodeNotFound)
			if records != "/v1/ota/rollout-executions" { // workflows change the rollout in the meantime
				require.Equal(t, before, p.listed(records, id))
			}
			answer := p.do(named(identifier))
			require.Equal(t, r.status, answer.status, answer.body)
			if r.status == http.StatusNoContent {
				p.do(call).problem(http.StatusNotFound, models.CodeNotFound)
			}
		})
	}
	for records := range identified {
		require.True(t, met[records], records)
	}
}

// listed returns the record with the ID from a list.
func (p *tenant) listed(records, id string) object {
	p.t.Helper()
	for _, one := range p.do(request{method: http.MethodGet, path: records}).list() {
		if fmt.Sprintf("%.0f", one["id"]) == id {
			return one
		}
	}
	require.Fail(p.t, "no such record is listed", "%s/%s", records, id)
	return nil
}
