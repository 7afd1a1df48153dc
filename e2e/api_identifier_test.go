package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// identified are the records that a path may name by more than their id, and the
// field that does.
var identified = map[string]string{
	"/v1/ota/updates":            "updateUuid",
	"/v1/ota/builds":             "uuid",
	"/v1/ota/rollout-executions": "workflowId",
}

// TestEveryPathTakesTheOtherIdentifierOfARecord calls every route with an {id} by
// what else names the record, with that of another project's record, and with one
// that names nothing.
func TestEveryPathTakesTheOtherIdentifierOfARecord(t *testing.T) {
	t.Parallel()
	server := installWithPasskeys(t)
	met := map[string]bool{}
	for _, r := range allRoutes(t) {
		records, _, ok := strings.Cut(r.path, "/{id}")
		if !ok {
			continue
		}
		met[records] = true
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
			if records != "/v1/ota/rollout-executions" { // workflows go on
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

// listed is the record with the id.
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
