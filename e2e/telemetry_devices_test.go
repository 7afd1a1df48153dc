package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func (p *tenant) device(id string) answer {
	p.t.Helper()
	return p.do(at("/v1/ota/devices/%s", id).get())
}

// A device is found by its ID in any case, whether the project hashes IDs or not.
func TestADeviceAndItsHistory(t *testing.T) {
	t.Parallel()
	for name, hashed := range map[string]bool{"plain": false, "hashed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := install(t).tenant(t)
			if hashed {
				body := object{"hashIds": true}
				require.Equal(t, http.StatusOK, p.do(request{method: http.MethodPatch, path: "/v1/ota/settings", body: body}).status)
			}
			p.known()
			first := p.release()
			id, quiet := uuid.NewString(), uuid.NewString()
			p.device(id).problem(404, "not_found")
			p.run([]string{id}, first["updateUuid"], "app_launch", "crash", "js_error")
			p.awaitServed([]string{quiet}, is(first["updateUuid"]))
			second := p.release()
			p.awaitServed([]string{id}, is(second["updateUuid"]))

			var d object
			p.eventually(func() bool {
				a := p.device(id)
				if a.status == http.StatusOK {
					d = a.record(http.StatusOK)
				}
				return d["crashes"] == 1.0 && d["errors"] == 1.0 && len(d["served"].([]any)) == 2 && len(d["events"].([]any)) == 3 &&
					len(d["failed"].([]any)) == 1 && len(p.list("/v1/ota/devices")) == 1 // ClickHouse writes one table after the other
			})
			require.Equal(t, !hashed, d["deviceId"] == id)
			require.Equal(t, first["updateUuid"], d["updateUuid"])
			require.Equal(t, "production", d["channel"])
			require.Equal(t, 1.0, d["errors"])
			require.Equal(t, d["firstSeenAt"], d["lastSeenAt"])
			require.Len(t, d["events"], 3)
			failed := d["failed"].([]any)[0].(map[string]any)
			require.Equal(t, first["id"], failed["updateId"])
			require.NotNil(t, failed["crashAt"])
			require.Nil(t, failed["failedAt"])
			resolve := d["resolve"].(map[string]any)
			require.Equal(t, "update", resolve["outcome"])
			require.Equal(t, second["id"], resolve["updateId"])

			// The ID in lists also finds the device. If it is a hash, the release cannot be resolved, because
			// percentages depend on the original ID.
			shown := p.device(d["deviceId"].(string)).record(http.StatusOK)
			require.Equal(t, d["events"], shown["events"])
			require.Equal(t, hashed, shown["resolve"] == nil)
			for _, query := range []string{"", "?search=" + id, "?channel=production&updateUuid=" + first["updateUuid"].(string)} {
				all := p.list("/v1/ota/devices" + query)
				require.Len(t, all, 1, query)
				require.Equal(t, d["deviceId"], all[0]["deviceId"])
			}
			require.Empty(t, p.list("/v1/ota/devices?channel=staging"))
			require.Empty(t, p.list("/v1/ota/devices?search="+quiet))

			// A device that was served and never reported also has a history.
			var served object
			p.eventually(func() bool {
				a := p.device(quiet)
				if a.status == http.StatusOK {
					served = a.record(http.StatusOK)
				}
				return a.status == http.StatusOK
			})
			require.Nil(t, served["lastSeenAt"])
			require.Equal(t, "production", served["channel"])
			require.Len(t, served["served"], 1)
		})
	}
}
