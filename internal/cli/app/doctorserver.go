package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/cli/command"
)

const (
	// maxSkew is the largest difference between the clocks of server and terminal without a warning.
	maxSkew = 30 * time.Second
	// expirySoon is the time before the end of a certificate, key or session from which a warning is given.
	expirySoon = 14 * 24 * time.Hour
	// maxProbe is the maximum size of a probe's response in bytes.
	maxProbe = 1 << 20
)

// probe is the response to a request without a key.
type probe struct {
	status   int
	header   http.Header
	body     []byte
	tls      *tls.ConnectionState
	sent, at time.Time
}

func (d *doctor) get(ctx context.Context, address string) (*probe, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	sent := d.now()
	res, err := d.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxProbe))
	return &probe{res.StatusCode, res.Header, body, res.TLS, sent, d.now()}, err
}

// checkServer reports whether the server is reachable. Without it, no other check is possible.
func (d *doctor) checkServer(ctx context.Context) bool {
	base := strings.TrimRight(d.URL, "/")
	p, err := d.get(ctx, base+"/healthz")
	if err != nil {
		text, fix := explainConnection(err)
		d.problem("server", fix, "%s is not reachable: %s", d.URL, text)
		return false
	}
	var live struct{ Status, Version string }
	if p.status != http.StatusOK || json.Unmarshal(p.body, &live) != nil || live.Version == "" {
		d.problem("server", "set --url (WAFT_URL) to the address of Waft, without a path such as /v1/ota, "+
			"and check whether a proxy or a sign-in page of the network is in between",
			"%s is not a Waft server: /healthz responded with status %d", d.URL, p.status)
		return false
	}
	d.ok("server", "%s is reachable", d.URL)
	d.compareVersions(live.Version, version.String())
	d.checkTLS(p.tls, base)
	d.checkClock(p)
	ready, err := d.get(ctx, base+"/readyz")
	switch {
	case err != nil:
		d.problem("ready", "run this again", "/readyz did not respond: %v", err)
	case ready.status != http.StatusOK:
		d.problem("ready", "on the server, look at the admin address: /readyz there names the engine that does not respond",
			"the server is not ready (status %d)", ready.status)
	default:
		d.ok("ready", "the server is ready")
	}
	return true
}

// explainConnection returns the reason for a failed connection, and the fix.
func explainConnection(err error) (text, fix string) {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var dns *net.DNSError
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return err.Error(), "renew the TLS certificate, or correct the clock of this machine"
	case errors.As(err, &unknown):
		return err.Error(), "use a certificate of a public authority; devices do not accept another one"
	case errors.As(err, &name):
		return err.Error(), "use the name in the certificate, or get a certificate for this name"
	case errors.As(err, &dns):
		return err.Error(), "check the name in --url (WAFT_URL)"
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return err.Error(), "use http:// in --url (WAFT_URL), or put a proxy with TLS in front of the server"
	}
	return err.Error(), "check that the server is running and that --url (WAFT_URL) is correct"
}

// compareVersions warns if the CLI and the server belong to different releases.
func (d *doctor) compareVersions(server, cli string) {
	release := func(text string) string {
		number, _, _ := strings.Cut(text, "-")
		parts := strings.SplitN(number, ".", 3)
		return strings.Join(parts[:min(2, len(parts))], ".")
	}
	if release(server) != release(cli) {
		d.warn("version", "install the CLI of the server's version", "the server has version %s, and this CLI has version %s", server, cli)
		return
	}
	d.ok("version", "the server and this CLI have versions that fit: %s, %s", server, cli)
}

func (d *doctor) checkTLS(state *tls.ConnectionState, base string) {
	if state == nil || len(state.PeerCertificates) == 0 {
		if u, err := url.Parse(base); err == nil && isLocal(u.Hostname()) {
			d.ok("tls", "%s does not use TLS, which is right on one machine only", base)
		} else {
			d.warn("tls", "put a proxy with TLS in front of the server, and use its https address",
				"%s does not use TLS. Release builds refuse http", base)
		}
		return
	}
	end := state.PeerCertificates[0].NotAfter
	d.checkEnd("tls", "the TLS certificate", end, "renew it before then")
}

// checkEnd reports the end of something that is still valid.
func (d *doctor) checkEnd(check, what string, end time.Time, fix string) {
	left := end.Sub(d.now())
	switch {
	case left <= 0:
		d.problem(check, fix, "%s expired at %s", what, end.UTC().Format(command.Stamp))
	case left < expirySoon:
		d.warn(check, fix, "%s expires at %s", what, end.UTC().Format(command.Stamp))
	default:
		d.ok(check, "%s expires at %s", what, end.UTC().Format(command.Stamp))
	}
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// checkClock compares the Date of a response with the clock of this machine in the middle of the request.
func (d *doctor) checkClock(p *probe) {
	date, err := http.ParseTime(p.header.Get("Date"))
	if err != nil {
		return
	}
	skew := date.Sub(p.sent.Add(p.at.Sub(p.sent) / 2)).Round(time.Second)
	if skew.Abs() > maxSkew {
		d.warn("clock", "set the clock of the machine that is wrong, for example with NTP",
			"the clocks of the server and of this machine differ by %s", skew.Abs())
		return
	}
	d.ok("clock", "the clocks of the server and of this machine agree")
}

// checkAdmin reports what the server says on its admin address about its engines and about proxies.
func (d *doctor) checkAdmin(ctx context.Context) {
	if d.adminURL == "" {
		return
	}
	p, err := d.get(ctx, strings.TrimRight(d.adminURL, "/")+"/readyz")
	if err != nil {
		d.warn("admin", "check --admin-url (WAFT_ADMIN_URL); the address is reachable only from the server's machine",
			"the admin address is not reachable: %v", err)
		return
	}
	var report struct {
		Dependencies []struct{ Name, Status string }
		Warnings     []string
	}
	if err := json.Unmarshal(p.body, &report); err != nil {
		d.warn("admin", "check --admin-url (WAFT_ADMIN_URL)", "%s is not the admin address of a Waft server", d.adminURL)
		return
	}
	for _, engine := range report.Dependencies {
		if engine.Status != "ok" {
			d.problem("engine", "start it, or correct its address in the server's settings", "%s does not respond", engine.Name)
		} else {
			d.ok("engine", "%s responds", engine.Name)
		}
	}
	for _, text := range report.Warnings {
		d.warn("proxy", "add the address to WAFT_TRUSTED_PROXIES on the server, and see docs/operations/proxies.md", "%s", text)
	}
}

// checkKey checks the key or session, and its role.
func (d *doctor) checkKey(ctx context.Context) {
	api, err := d.Client(ctx)
	if err != nil {
		d.problem("key", "create a key in the dashboard under Settings, API keys, or run `waft login`", "%v", err)
		return
	}
	me, err := api.GetMeWithResponse(ctx)
	if err == nil && me.JSON200 == nil {
		err = command.ErrNoRecord
	}
	var refusal *client.Error
	switch {
	case errors.As(err, &refusal) && (refusal.Status == http.StatusUnauthorized || refusal.Status == http.StatusForbidden):
		d.problem("key", "create another key in the dashboard under Settings, API keys, or sign in again with `waft login`",
			"the server refused the key or the session: %v", err)
		return
	case err != nil:
		d.problem("key", "run this again, and check the server if that does not help", "the key or the session could not be checked: %v", err)
		return
	}
	d.api = api
	if !d.checkProject(*me.JSON200) {
		d.api = nil
		return
	}
	d.checkExpiry(ctx, *me.JSON200)
	signing, err := api.GetCodeSigningWithResponse(ctx, &client.GetCodeSigningParams{})
	if err != nil {
		d.warn("signing", "run this again", "the project's signing key could not be read: %v", err)
		return
	}
	d.signing, d.signingKnown = signing.JSON200, true
}

// checkProject reports whether the client may act in the project.
func (d *doctor) checkProject(me client.Me) bool {
	who := "the session"
	if me.APIKey != nil {
		who = "the key " + me.APIKey.Name
	}
	if me.APIKey == nil && me.User == nil {
		d.ok("key", "the key is the root key of the installation")
		return true
	}
	for _, p := range me.Projects {
		if p.Slug == d.Project {
			d.ok("key", "%s has the role %s in project %s", who, p.Role, p.Slug)
			return true
		}
	}
	d.problem("project", "set --project (WAFT_PROJECT) to the slug of the project, or use a key of it",
		"%s is not for project %s", who, d.Project)
	return false
}

// checkExpiry checks when the key or the session ends. Only an admin can read the end of a key.
func (d *doctor) checkExpiry(ctx context.Context, me client.Me) {
	if me.APIKey == nil {
		sessions, err := d.api.ListSessionsWithResponse(ctx)
		if err != nil || sessions.JSON200 == nil {
			return
		}
		for _, s := range *sessions.JSON200 {
			if s.IsCurrent && s.ExpiresAt.Sub(d.now()) < 24*time.Hour {
				d.warn("expiry", "sign in again with `waft login`", "the session ends at %s", s.ExpiresAt.UTC().Format(command.Stamp))
			}
		}
		return
	}
	keys, err := d.api.ListAPIKeysWithResponse(ctx, &client.ListAPIKeysParams{Limit: new(command.ListLimit)})
	if err != nil || keys.JSON200 == nil {
		return
	}
	for _, k := range *keys.JSON200 {
		if k.Prefix == me.APIKey.Prefix && k.ExpiresAt != nil {
			d.checkEnd("expiry", fmt.Sprintf("the key %s", k.Name), *k.ExpiresAt, "create another key, and replace it where it is used")
		}
	}
}
