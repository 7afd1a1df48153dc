package e2e

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/prometheustest"
)

// prometheusServer is a Prometheus with the configuration and the alerts of deploy/prometheus.
type prometheusServer struct {
	t   *testing.T
	url string
}

// startPrometheus starts a Prometheus that reads targets each second, instead of the targets that deploy/prometheus/prometheus.yml names.
func startPrometheus(t *testing.T, targets map[string]string) *prometheusServer {
	t.Helper()
	deployed, err := filepath.Abs(filepath.Join("..", "deploy", "prometheus"))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(deployed, "prometheus.yml"))
	require.NoError(t, err)
	settings := strings.Replace(string(text), "[waft.rules.yml]", "["+filepath.Join(deployed, "waft.rules.yml")+"]", 1)
	for documented, address := range targets {
		require.Contains(t, settings, documented)
		settings = strings.Replace(settings, documented, address, 1)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yml")
	settings += "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
	require.NoError(t, os.WriteFile(file, []byte(settings), 0o600))
	address := freeAddress(t)
	process := spawn(t, exec.Command(prometheustest.Program(t, "prometheus"),
		"--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address))
	p := &prometheusServer{t, "http://" + address}
	eventually(t, func() bool {
		require.False(t, process.ended(), "%s", process.log)
		res, err := http.Get(p.url + "/-/ready")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return p
}

// ask requests a path of the API and decodes its data.
func (p *prometheusServer) ask(path string, query url.Values, data any) {
	p.t.Helper()
	res, err := http.Get(p.url + "/api/v1/" + path + "?" + query.Encode())
	require.NoError(p.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, res.StatusCode, "%s: %s", query, text)
	require.NoError(p.t, json.Unmarshal(text, &struct{ Data any }{data}))
}

// values returns the numbers that a query has now, without NaN, the quantile of an empty histogram.
func (p *prometheusServer) values(query string) (found []float64) {
	p.t.Helper()
	var data struct {
		Result []struct{ Value [2]any }
	}
	p.ask("query", url.Values{"query": {query}}, &data)
	for _, series := range data.Result {
		value, err := strconv.ParseFloat(series.Value[1].(string), 64)
		require.NoError(p.t, err, query)
		if !math.IsNaN(value) {
			found = append(found, value)
		}
	}
	return found
}

// metrics returns the names of all metrics that Prometheus knows from its targets.
func (p *prometheusServer) metrics() (names []string) {
	p.t.Helper()
	p.ask("label/__name__/values", nil, &names)
	return names
}

// states returns the state of each alert: inactive, pending or firing. It fails the test if Prometheus cannot evaluate a rule.
func (p *prometheusServer) states() map[string]string {
	p.t.Helper()
	var data struct {
		Groups []struct {
			Rules []struct{ Name, State, Health, LastError string }
		}
	}
	p.ask("rules", nil, &data)
	states := map[string]string{}
	for _, g := range data.Groups {
		for _, r := range g.Rules {
			require.NotEqual(p.t, "err", r.Health, "%s: %s", r.Name, r.LastError)
			states[r.Name] = r.State
		}
	}
	return states
}
