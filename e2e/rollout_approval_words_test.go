package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A call can be approved after an update of Waft that words summaries differently.
func TestAnApprovalWithAnOlderWordingIsApplied(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague := p.person(models.RoleEditor), p.person(models.RoleEditor)
	before := p.release()
	flag := p.create("/v1/ota/flags", object{"key": "checkout", "enabled": false})
	override := p.create("/v1/ota/user-overrides", object{"userId": "ada", "branchName": "staging"})
	p.protect("production", 1)

	asked := map[string]int64{}
	for name, call := range map[string]request{
		"publish":  p.publishCall(),
		"flag":     to(object{"enabled": true}, "/v1/ota/flags/%d", flag.id("id")).by(http.MethodPatch),
		"override": at("/v1/ota/user-overrides/%d", override.id("id")).by(http.MethodDelete),
	} {
		asked[name] = p.pending(call.in(author.session)).id("id")
	}
	change := func(sql string, args ...any) {
		_, err := p.postgres().Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	change("UPDATE approvals SET summary = 'in older words' WHERE project_id = $1", p.id)
	// The first versions hashed the summary with the facts.
	change("UPDATE approvals SET basis = sha256(convert_to($2, 'UTF8')) WHERE id = $1",
		asked["override"], fmt.Sprintf(`["in older words",%d]`, override.id("id")))

	for _, id := range asked {
		require.Equal(t, "in older words", p.approval(id)["summary"])
		p.carriedOut(id, colleague)
	}
	require.NotEqual(t, before["updateUuid"], p.gets("d", "production"))
	require.Equal(t, true, p.read(path("/v1/ota/flags/%d", flag.id("id")))["enabled"])
	require.Empty(t, p.list("/v1/ota/user-overrides"))
}
