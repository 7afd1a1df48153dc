package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestARemovedMemberLeavesNoWayIn checks that the invitations of a removed member end, and that one call lists the
// member's keys and one call revokes them.
func TestARemovedMemberLeavesNoWayIn(t *testing.T) {
	t.Parallel()
	server := install(t)
	p, elsewhere := server.tenant(t), server.tenant(t)
	who, other := p.person(models.RoleAdmin), p.person(models.RoleAdmin)
	// as creates a record with a session or a key.
	as := func(r request, path string, body object) object {
		r.method, r.path, r.body = http.MethodPost, path, body
		return p.do(r).record(http.StatusCreated)
	}
	key := func(r request, name string) (string, int64) {
		made := as(r, "/v1/ota/api-keys", object{"name": name, "role": "admin"})
		return made["key"].(string), made.id("id")
	}
	first, _ := key(request{session: who.session}, "first")
	second, _ := key(request{key: first}, "made by the first key")
	kept, keptID := key(request{session: other.session}, "kept")
	backdoors := []string{"by-session@example.com", "by-key@example.com"}
	as(request{session: who.session}, "/v1/ota/invitations", object{"email": backdoors[0], "role": "admin"})
	as(request{key: second}, "/v1/ota/invitations", object{"email": backdoors[1], "role": "admin"})
	as(request{session: other.session}, "/v1/ota/invitations", object{"email": "stays@example.com", "role": "viewer"})
	p.sql(`INSERT INTO invitations (project_id, email, email_key, role, token_hash, invited_by, expires_at, created_at)
		VALUES ($1, $2, $2, 'admin', sha256('x'), 'groups made the person a member meanwhile', now() + interval '1 day', now())`, p.id, who.email)

	var userID int64
	for _, m := range p.do(request{method: http.MethodGet, path: "/v1/ota/members"}).list() {
		if m["email"] == who.email {
			userID = m.id("userId")
		}
	}
	require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: path("/v1/ota/members/%d", p.member(who)), session: other.session}).status)
	var invited []string
	for _, each := range p.do(request{method: http.MethodGet, path: "/v1/ota/invitations"}).list() {
		invited = append(invited, each["email"].(string))
	}
	require.Equal(t, []string{"stays@example.com"}, invited)
	require.Contains(t, p.actions(), "invitation.revoked")

	works := func(key string) bool {
		return p.do(request{method: http.MethodGet, path: "/v1/ota/builds", key: key}).status == http.StatusOK
	}
	list := func() (names []string) {
		for _, each := range p.do(request{method: http.MethodGet, path: path("/v1/ota/api-keys?madeBy=%d", userID)}).list() {
			require.Equal(t, userID, each.id("madeBy"))
			names = append(names, each["name"].(string))
		}
		return names
	}
	require.Equal(t, []string{"made by the first key", "first"}, list())
	require.True(t, works(first), "after a removal the member's keys keep working until they are revoked")
	revoke := request{method: http.MethodPost, path: "/v1/ota/api-keys/revoke", session: other.session, body: object{"madeBy": userID}}
	require.Equal(t, float64(0), elsewhere.do(request{
		method: http.MethodPost, path: "/v1/ota/api-keys/revoke", body: object{"madeBy": userID},
	}).record(200)["revoked"], "another project's keys stay")
	require.Equal(t, float64(2), p.do(revoke).record(200)["revoked"])
	require.Empty(t, list())
	require.False(t, works(first))
	require.False(t, works(second))
	require.True(t, works(kept))
	require.NotZero(t, keptID)
	require.Equal(t, float64(0), p.do(revoke).record(200)["revoked"])
}
