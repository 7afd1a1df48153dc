package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// providerPage is a page that shows a text while the flag greeting is on, as OpenFeature's provider says. SERVER and
// KEY are replaced.
const providerPage = `<!doctype html>
<p data-testid="release-label" hidden>ready</p>
<script type="importmap">{"imports": {
  "@openfeature/core": "/@openfeature/core/dist/esm/index.js",
  "@openfeature/web-sdk": "/@openfeature/web-sdk/dist/esm/index.js",
  "@openfeature/ofrep-core": "/@openfeature/ofrep-web-provider/node_modules/@openfeature/ofrep-core/index.esm.js",
  "@openfeature/ofrep-web-provider": "/@openfeature/ofrep-web-provider/index.esm.js"
}}</script>
<script type="module">
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
const client = OpenFeature.getClient();
function show() {
  document.querySelector('[data-testid=greeting]')?.remove();
  if (client.getBooleanValue('greeting', false)) {
    document.body.insertAdjacentHTML('beforeend', '<p data-testid="greeting">Hello</p>');
  }
  document.querySelector('[data-testid=release-label]').hidden = false;
}
client.addHandler(ProviderEvents.Ready, show);
client.addHandler(ProviderEvents.ConfigurationChanged, show);
await OpenFeature.setContext({ targetingKey: 'ada', channel: 'production' });
OpenFeature.setProvider(new OFREPWebProvider({ baseUrl: 'SERVER', headers: [['Authorization', 'Bearer KEY']] }));
</script>`

// A page with OpenFeature's own provider shows each change of a flag without a reload. It does not poll.
func TestTheWebProviderFollowsChanges(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{"key": "greeting", "flagType": "boolean", "defaultValue": false}).id("id")
	p.settle(flag)
	modules := openFeatureExample + "/node_modules"
	require.FileExists(t, modules+"/@openfeature/core/package.json", "the SDKs are installed by `make openfeature`")
	content := strings.NewReplacer("SERVER", p.url, "KEY", p.key(models.RoleClient)).Replace(providerPage)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(content))
			return
		}
		text, err := os.ReadFile(filepath.Join(modules, filepath.FromSlash(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(text)
	}))
	t.Cleanup(host.Close)
	page := openURL(t, host.URL)
	require.Equal(t, "", page.say(object{"do": "text", "testID": "greeting"})["text"])
	for _, value := range []bool{true, false, true} {
		p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", flag), body: object{"defaultValue": value}}).record(http.StatusOK)
		page.say(object{"do": "await", "testID": "greeting", "shown": value})
	}
	require.EqualValues(t, 1, page.say(object{"do": "loads"})["loads"], "the page was loaded once")

	// A page that is opened again shows its stored values and follows changes, too.
	page.say(object{"do": "open another tab"})
	p.eventually(func() bool { return p.metric("waft_event_streams") == 2 })
}
