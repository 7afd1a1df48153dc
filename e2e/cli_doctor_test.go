package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// doctorReport is the output of `waft doctor --json`.
type doctorReport struct {
	OK       bool
	Findings []struct{ Check, Status, Message, Fix string }
}

// bad returns the checks with warnings and problems.
func (r doctorReport) bad() (names []string) {
	for _, f := range r.Findings {
		if f.Status != "ok" {
			names = append(names, f.Status+" "+f.Check)
		}
	}
	return names
}

func (p *tenant) doctor(args ...string) doctorReport {
	p.t.Helper()
	out, _, err := p.tryWaft(models.RoleAdmin, append([]string{"doctor", "--json"}, args...)...)
	var r doctorReport
	require.NoError(p.t, json.Unmarshal([]byte(out), &r), "%s: %v", out, err)
	require.Equal(p.t, r.OK, err == nil)
	if err != nil {
		require.Equal(p.t, 1, cli.ExitCode(err))
	}
	for _, f := range r.Findings {
		require.Equal(p.t, f.Status == "ok", f.Fix == "", "%+v", f)
	}
	return r
}

// doctorApp returns an app that is configured for the tenant, with a release for each platform.
func doctorApp(t *testing.T) (p *tenant, folder string) {
	t.Helper()
	p = install(t).tenant(t)
	folder = exampleCopy(t, `{"expo": {"name": "Shop", "slug": "shop", "version": "1.0.0"}}`)
	p.codesign(folder, "generate")
	_, _, err := p.tryWaft(models.RoleViewer, "init", "--app", folder, "--yes")
	require.NoError(t, err)
	eventually(t, func() bool { // until the process that serves devices has the new key; a release does not exist yet
		return slices.Equal([]string{"warning manifest", "warning manifest"}, p.doctor("--app", folder).bad())
	})
	_, err = p.client().Publish(t.Context(), client.Publication{
		Dir: madeExports(t)["stable"], Platforms: []models.Platform{models.IOS, models.Android}, Channel: "production",
		Upload: client.Upload{RuntimeVersion: "1.0.0"},
	})
	require.NoError(t, err)
	return p, folder
}

func TestDoctorFindsWhatIsWrongWithAnApp(t *testing.T) {
	t.Parallel()
	p, folder := doctorApp(t)
	report := p.doctor("--app", folder)
	require.Empty(t, report.bad())
	checks := map[string]int{}
	for _, f := range report.Findings {
		checks[f.Check]++
		if f.Check == "manifest" {
			require.Contains(t, f.Message, "gets the update ", "a device knows a release by its update ID")
		}
	}
	for _, name := range []string{"server", "version", "clock", "ready", "key", "expo-updates", "plugin", "url", "certificate", "channel"} {
		require.Positive(t, checks[name], name)
	}
	require.Equal(t, []int{2, 2, 2}, []int{checks["manifest"], checks["signature"], checks["asset"]}, "one of each platform")

	// It does not check an app in a folder without one.
	require.Empty(t, p.doctor("--app", t.TempDir()).bad())

	file := filepath.Join(folder, "app.json")
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		from, to string
		want     []string
	}{
		"another project":  {`"` + p.slug + `"`, `"other"`, []string{"problem url"}},
		"another channel":  {`"production"`, `"nowhere"`, []string{"problem channel", "problem manifest", "problem manifest"}},
		"another version":  {`"1.0.0"`, `"2.0.0"`, []string{"warning manifest", "warning manifest"}},
		"another key ID":   {`"main"`, `"second"`, []string{"problem certificate"}},
		"a lost file":      {"certificate.pem", "lost.pem", []string{"problem certificate"}},
		"a server of EAS":  {p.url, "https://u.expo.dev", []string{"problem url"}},
		"disabled updates": {`"codeSigningCertificate"`, `"enabled": false, "codeSigningCertificate"`, []string{"problem url"}},
	} {
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(good), c.from, c.to, 1)), 0o600))
		require.Subset(t, p.doctor("--app", folder).bad(), c.want, name)
	}
	require.NoError(t, os.WriteFile(file, good, 0o600))

	// The project signs with another key.
	p.codesign(t.TempDir(), "rotate", "--yes")
	eventually(t, func() bool {
		bad := p.doctor("--app", folder).bad()
		return strings.Join(bad, ", ") == "problem certificate, problem signature, problem signature"
	})
}

func TestDoctorFindsWhatIsWrongBetweenTheAppAndTheServer(t *testing.T) {
	t.Parallel()
	p, folder := doctorApp(t)
	at, err := url.Parse(p.url)
	require.NoError(t, err)
	behind := func(change func(*http.Response) error) *tenant {
		proxy := &httputil.ReverseProxy{
			Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(at) },
			ModifyResponse: change,
			Transport:      &http.Transport{DisableCompression: true}, // the tests' own transport cannot check compressed bodies
		}
		s := httptest.NewServer(proxy)
		t.Cleanup(s.Close)
		through := *p
		through.url = s.URL
		return &through
	}
	late := behind(func(r *http.Response) error {
		r.Header.Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		return nil
	})
	require.Subset(t, late.doctor("--app", folder).bad(), []string{"warning clock", "warning url"})
	starting := behind(func(r *http.Response) error {
		if r.Request.URL.Path == "/readyz" {
			r.StatusCode = http.StatusServiceUnavailable
		}
		return nil
	})
	require.Equal(t, []string{"problem ready"}, starting.doctor("--app", t.TempDir()).bad())
	other := behind(func(r *http.Response) error {
		r.StatusCode = http.StatusNotFound
		return nil
	})
	require.Equal(t, []string{"problem server"}, other.doctor("--app", folder).bad())

	refused := *p
	refused.keys = map[models.Role]string{models.RoleAdmin: "waft_12345678_wrong"}
	require.Equal(t, []string{"problem key"}, refused.doctor("--app", folder).bad(), "the device's checks work without a key")
	refused.url = "http://127.0.0.1:1"
	require.Equal(t, []string{"problem server"}, refused.doctor("--app", folder).bad())
}
