package e2e

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// dockerPort returns the address of a port as Docker publishes it: the server sees every client at the same private
// address.
func dockerPort(t *testing.T, server string) (address string) {
	t.Helper()
	target, err := url.Parse(server)
	require.NoError(t, err)
	port := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			r.Out.Header.Set("X-Forwarded-For", "172.18.0.1") // the gateway of a Docker network
		},
		Transport: &http.Transport{},          // the default transport checks responses, which may fail for compressed ones
		ErrorLog:  log.New(io.Discard, "", 0), // errors of devices that end with the demo
	})
	t.Cleanup(port.Close)
	return port.URL
}

// The demo, played as docker-compose.yml describes it, creates a project that trusts Docker's networks. In any other
// project the rollout is held, and its reason names the missing setting. With -short the demo only creates its project.
func TestTheDemoBehindDockersProxy(t *testing.T) {
	t.Parallel()
	server := proxied(t)
	server.url = dockerPort(t, server.url)
	binary, err := buildWaft()
	require.NoError(t, err)
	shell := func(script string) (output string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "sh", "-euc", script)
		command.Dir = t.TempDir()
		command.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "WAFT_URL="+server.url, "WAFT_ROOT_KEY="+server.rootKey)
		text, err := command.CombinedOutput()
		require.NoError(t, err, "%s", text)
		return string(text)
	}
	play := enginetest.Sized("waft demo --fast --devices 600 --rate 60 --workers 8 --crash 90 --patience 4m --max-rollback 4m", "waft rollouts list")
	output := shell("waft demo-project --docker; . .waft/demo.env; export WAFT_PROJECT WAFT_API_KEY; " + play)
	require.Contains(t, output, "The project demo trusts Docker's networks (trustedNetworks: 172.16.0.0/12, 192.168.0.0/16)")
	require.Regexp(t, enginetest.Sized(`All \d+ expectations were met`, ``), output)

	p := server.tenant(t)
	release, id := p.forAll(5)
	p.run(invented(6), release["updateUuid"], "app_launch")
	e := p.awaitRollout(id, has("waitingFor", "networks"))
	require.Contains(t, e["reason"], "devices are in one network")
	require.Contains(t, e["reason"], "through a proxy (a load balancer, Docker), add it to WAFT_TRUSTED_PROXIES")
}
