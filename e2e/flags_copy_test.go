package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A device gets the value of a flag by the new order of its rules, and on the channel to which the flag was copied.
func TestFlagsAreCopiedAndOrdered(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	flag := p.flag()
	id := flag.id("id")
	rule := func(value, channel string) int64 {
		return p.create(path("/v1/ota/flags/%d/rules", id), object{
			"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ann"}}, "variantValue": value, "channelName": channel,
		}).id("id")
	}
	on, off := rule("true", "production"), rule("false", "production")
	value := func(channel string) any {
		explained := to(object{"context": object{"targetingKey": "ann", "channel": channel}}, "/v1/ota/flags/%d/explain", id)
		explained.method = http.MethodPost
		return p.do(explained).record(200)["value"]
	}
	call := func(method, at string, body object) object {
		c := to(body, "/v1/ota/flags/%d/%s", id, at)
		c.method = method
		return p.do(c).record(200)
	}
	channel := p.channel()
	require.Equal(t, true, value("production"))
	before := value(channel)
	ordered := call(http.MethodPut, "rules/order", object{"ruleIds": []int64{off, on}})
	require.Equal(t, off, object(ordered["rules"].([]any)[0].(map[string]any)).id("id"))
	require.Equal(t, false, value("production"))
	require.Equal(t, before, value(channel))
	call(http.MethodPut, "rules/order", object{"ruleIds": []int64{on, off}})
	call(http.MethodPost, "copy", object{"fromChannel": "production", "toChannel": channel})
	require.Equal(t, true, value(channel))
	disable := to(object{"enabled": false}, "/v1/ota/flags/%d/env/production", id)
	disable.method = http.MethodPatch
	p.do(disable).record(200)
	call(http.MethodPost, "copy", object{"fromChannel": "production", "toChannel": channel})
	require.Equal(t, value("production"), value(channel))
	require.NotEqual(t, true, value(channel))
}
