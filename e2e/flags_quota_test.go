package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The flags of a project may use a limited number of bytes in each process, however these are divided among rules,
// segments and settings.
func TestAProjectsFlagsHaveABound(t *testing.T) {
	t.Parallel()
	const quota, listed = 40_000, 500
	env := settings(t)
	env["WAFT_QUOTA_FLAG_BYTES"] = strconv.Itoa(quota)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	flag := p.create("/v1/ota/flags", object{"key": "listed", "flagType": "boolean", "defaultValue": false}).id("id")
	users := make([]string, listed)
	for i := range users {
		users[i] = fmt.Sprintf("somebody-%08d", i)
	}
	rules := path("/v1/ota/flags/%d/rules", flag)
	add := request{method: http.MethodPost, path: rules, body: object{
		"ruleType": "user_list", "ruleConfig": object{"userIds": users}, "variantValue": "true",
	}}
	var made object
	for range 3 {
		made = p.do(add).record(http.StatusCreated)
	}
	refused := func(r request) {
		require.Contains(t, p.do(r).problem(http.StatusConflict, models.CodeQuotaExceeded)["detail"], "WAFT_QUOTA_FLAG_BYTES allows 40000")
	}
	refused(add)
	refused(request{method: http.MethodPost, path: "/v1/ota/segments", body: object{"name": "Listed", "matchType": "all", "conditions": []object{
		{"attribute": "user", "operator": "in", "valuesJson": users},
	}}})
	refused(request{method: http.MethodPatch, path: path("%s/%d", rules, made.id("id")), body: object{
		"ruleConfig": object{"userIds": append(users, users...)},
	}})
	p.do(request{method: http.MethodPatch, path: path("%s/%d", rules, made.id("id")), body: object{"priority": 9}}).record(http.StatusOK)
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: path("%s/%d", rules, made.id("id"))}).status)
	p.do(add).record(http.StatusCreated)
}
