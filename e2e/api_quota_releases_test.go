package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Every API process keeps the releases of all projects and their linked flags in memory, so both have a quota. A
// rollback works even when the quota is reached.
func TestReleasesAndTheirFlagsHaveAQuota(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_QUOTA_RELEASES"], env["WAFT_QUOTA_LINKED_FLAGS"] = "3", "4"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	links := []object{{"flagId": p.flag().id("id"), "enabled": true}, {"flagId": p.flag().id("id"), "enabled": true}}
	publish := func(links ...object) request {
		return request{method: http.MethodPost, path: path("/v1/ota/builds/%d/publish", p.build().id("id")), body: object{
			"channel": "production", "linkedFlags": links,
		}}
	}
	first := p.do(publish(links...)).record(http.StatusCreated)
	second := p.do(publish(links[0])).record(http.StatusCreated)
	update := func(of object, what string) string { return path("/v1/ota/updates/%d", of.id("id")) + what }
	linkBoth := object{"linkedFlags": links}

	requireQuota(t, p.do(publish(links...)), models.QuotaLinkedFlags)
	requireQuota(t, p.do(request{method: http.MethodPost, path: update(first, "/republish"), body: object{}}), models.QuotaLinkedFlags)
	p.do(request{method: http.MethodPatch, path: update(second, ""), body: linkBoth}).record(http.StatusOK)
	third := p.do(publish()).record(http.StatusCreated)
	requireQuota(t, p.do(request{method: http.MethodPatch, path: update(third, ""), body: linkBoth}), models.QuotaLinkedFlags)

	requireQuota(t, p.do(publish()), models.QuotaReleases)
	requireQuota(t, p.do(request{method: http.MethodPost, path: update(third, "/republish"), body: object{}}), models.QuotaReleases)
	p.do(request{method: http.MethodPost, path: "/v1/ota/rollback", body: object{
		"channel": "production", "platform": "ios", "runtimeVersion": third["runtimeVersion"], "rollbackToUpdateId": first.id("id"),
	}}).record(http.StatusCreated)
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: update(second, "")}).status)
	requireQuota(t, p.do(publish()), models.QuotaReleases) // the rollback's release counts
	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: update(third, "")}).status)
	p.do(publish()).record(http.StatusCreated)
}
