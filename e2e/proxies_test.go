package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// behind is a tenant that clients reach through a proxy. The tenant's own URL is the server's, without the proxy.
type behind struct {
	*tenant
	proxy gateway
}

// behind returns a tenant of a new server behind the proxy.
func (e edge) behind(t *testing.T, env map[string]string) behind {
	t.Helper()
	address := freeAddress(t)
	env["WAFT_BASE_URL"] = "https://localhost:" + portOf(t, address)
	server := serve(t, env)
	p := installation{url: server, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	return behind{p, e.start(t, address, server)}
}

// TestBehindAProxy runs the proxies of Debian with the files of deploy/proxies. With -short, an upload is small.
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	size := enginetest.Sized[int64](1<<30, 24<<20)
	for _, e := range edges {
		t.Run(e.program, func(t *testing.T) {
			env := settings(t)
			env["WAFT_TRUSTED_PROXIES"], env["WAFT_MAX_FILE_BYTES"] = "127.0.0.1", strconv.FormatInt(size, 10)
			p := e.behind(t, env)
			p.requireHTTP2()
			p.requireEvents()
			p.requireUpload(size)
			p.requireAddresses()
			p.requireDoctor()
		})
	}
}

// requireHTTP2 checks that clients reach the server over HTTP/2, and that http leads to https.
func (p behind) requireHTTP2() {
	p.t.Helper()
	browser := p.proxy.client(p.t, "127.0.0.2")
	res, err := browser.Get(p.proxy.url + "/healthz")
	require.NoError(p.t, err)
	defer res.Body.Close()
	require.Equal(p.t, 2, res.ProtoMajor)
	require.Equal(p.t, http.StatusOK, res.StatusCode)
	if p.proxy.plain == "" {
		return
	}
	plain, err := browser.Get(p.proxy.plain + "/healthz")
	require.NoError(p.t, err)
	defer plain.Body.Close()
	require.Equal(p.t, http.StatusMovedPermanently, plain.StatusCode)
	require.Regexp(p.t, `^https://localhost(:\d+)?/healthz$`, plain.Header.Get("Location"))
}

// requireEvents checks that events arrive while their streams stay open: of a device, of a page, and of a person.
func (p behind) requireEvents() {
	p.t.Helper()
	flag := p.create("/v1/ota/flags", object{"key": p.name(), "flagType": "boolean", "defaultValue": false})
	id, key := flag.id("id"), flag["key"].(string)
	require.Contains(p.t, p.bulk(object{"deviceId": "d1"}), key)
	transport := p.proxy.client(p.t, "127.0.0.2").Transport
	device := p.followFlagsOver(transport, p.proxy.url+"/v1/ota/flag-stream/"+p.slug+"?deviceId=d1&channel=production")
	event, _ := device.next()
	require.Equal(p.t, "put", event)
	// The context is in the URL of the stream, so the URL is about as long as Waft makes one.
	view := p.openPage(p.key(models.RoleClient), object{"targetingKey": "ada", "channel": "production", "notes": strings.Repeat("n", 2900)})
	require.Greater(p.t, len(view.stream), 3900)
	page := view.followOver(transport, p.proxy.url, "")
	page.begins()
	changes, err := p.followProjectOver(transport, p.proxy.url, "")
	require.NoError(p.t, err)
	defer changes.close()
	_, _, err = changes.next() // the ID that the stream begins with
	require.NoError(p.t, err)

	rule := object{"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ada", "d1"}}, "variantValue": "true"}
	p.create(path("/v1/ota/flags/%d/rules", id), rule)
	event, data := device.next()
	require.Equal(p.t, "patch", event)
	require.Equal(p.t, key, data["key"])
	require.NotEmpty(p.t, page.next())
	for event != "changed" || data["resource"] != "flags" {
		event, data, err = changes.next()
		require.NoError(p.t, err)
	}
}

// requireUpload uploads a file. The server has the beginning of the file before the client sends the rest.
func (p behind) requireUpload(size int64) {
	p.t.Helper()
	content := func() io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{7}), size) }
	sum := sha256.New()
	_, err := io.Copy(sum, content())
	require.NoError(p.t, err)
	file := "/v1/ota/builds/files/" + hex.EncodeToString(sum.Sum(nil))
	body, arrived := content(), make(chan struct{})
	begin := io.LimitReader(body, size*2/3)
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPut, p.proxy.url+file,
		io.MultiReader(begin, pausing{p.t.Context(), arrived}, body))
	require.NoError(p.t, err)
	req.ContentLength = size
	req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleAdmin])
	req.Header.Set("X-Project", p.slug)
	req.Header.Set("Content-Type", "application/octet-stream")
	ended := make(chan error, 1)
	go func() {
		res, err := p.proxy.client(p.t, "127.0.0.2").Do(req)
		if err == nil {
			text, _ := io.ReadAll(res.Body) // for the message
			if res.Body.Close(); res.StatusCode >= http.StatusMultipleChoices {
				err = fmt.Errorf("status %d: %s", res.StatusCode, text)
			}
		}
		ended <- err
	}()
	eventually(p.t, func() bool {
		select {
		case err := <-ended:
			require.Fail(p.t, "the upload ended early", "%v", err)
		default:
		}
		stored := p.do(request{method: http.MethodHead, path: file})
		offset, _ := strconv.ParseInt(stored.header.Get("Upload-Offset"), 10, 64)
		return offset > 0
	})
	close(arrived)
	require.NoError(p.t, <-ended)
	checked := p.do(request{method: http.MethodPost, path: "/v1/ota/builds/check", body: object{
		"files": []object{{"sha256": hex.EncodeToString(sum.Sum(nil)), "sizeBytes": size}},
	}}).record(http.StatusOK)
	require.Empty(p.t, checked["missing"], "the server has the whole file")
}

// pausing is a reader that ends when a channel is closed.
type pausing struct {
	ctx     context.Context
	arrived <-chan struct{}
}

// Read waits, and returns io.EOF.
func (p pausing) Read([]byte) (int, error) {
	select {
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	case <-p.arrived:
		return 0, io.EOF
	}
}

// requireAddresses checks that a session shows the address of the client, over IPv4 and, where this machine has it, IPv6.
func (p behind) requireAddresses() {
	p.t.Helper()
	p.requireAddress("127.0.0.2")
	if hasIPv6() {
		p.requireAddress("::1")
	}
}

// requireAddress checks that a session shows the address of the client, whatever the client writes into headers.
func (p behind) requireAddress(address string) {
	p.t.Helper()
	who := p.person(models.RoleEditor)
	browser := p.proxy.client(p.t, address)
	through := *p.tenant
	through.url = p.proxy.url
	forged := []map[string]string{
		{}, {"X-Forwarded-For": "203.0.113.9"}, {"X-Real-Ip": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Forwarded-For": "not an address"},
		{"X-Forwarded-For": "203.0.113.9, 127.0.0.1"},
	}
	for _, header := range forged {
		login := request{method: http.MethodPost, path: "/v1/auth/login", body: object{"email": who.email, "password": goodPassword}}.
			with("Authorization", "")
		for name, value := range header {
			login = login.with(name, value)
		}
		var a answer
		p.eventually(func() bool { a = through.doBy(browser, login); return a.status != http.StatusTooManyRequests })
		a.record(http.StatusOK)
		session := a.session()
		require.True(p.t, strings.HasPrefix(a.header.Get("Set-Cookie"), "__Host-"), "the cookie is for https only")
		sessions := through.doBy(browser, request{method: http.MethodGet, path: "/v1/auth/sessions", session: session}).list()
		current := slices.IndexFunc(sessions, func(s object) bool { return s["isCurrent"] == true })
		require.Equal(p.t, address, sessions[current]["address"], "%v", header)
	}
}

// requireDoctor checks that `waft doctor` passes for an app and its server through the proxy, after the requests of devices by which the
// server notices a proxy.
func (p behind) requireDoctor() {
	p.t.Helper()
	folder := exampleCopy(p.t, `{"expo": {"name": "Shop", "slug": "shop", "version": "1.0.0"}}`)
	_, err := p.command(folder, "init", "--yes")
	require.NoError(p.t, err)
	_, err = p.client().Publish(p.t.Context(), client.Publication{
		Dir: madeExports(p.t)["stable"], Platforms: []models.Platform{models.IOS, models.Android}, Channel: "production",
		Upload: client.Upload{RuntimeVersion: "1.0.0"},
	})
	require.NoError(p.t, err)
	p.eventually(func() bool { return p.gets("", "production") != "" })
	p.launchDevices()
	require.Empty(p.t, p.diagnosis(folder).bad())
}

// launchDevices requests as many manifests through the proxy as the server needs to notice a proxy.
func (p behind) launchDevices() {
	p.t.Helper()
	browser := p.proxy.client(p.t, "127.0.0.2")
	through := *p.tenant
	through.url = p.proxy.url
	for range 100 {
		through.doBy(browser, at("/v1/ota/manifest/%s?channel=production", p.slug).with("Authorization", "").
			with("Expo-Platform", "ios").with("Expo-Runtime-Version", "1.0.0").with("Eas-Client-Id", uuid.NewString()).
			with("Accept", "application/expo+json").get()).record(http.StatusOK)
	}
}

// command runs the command line in a folder as a person does who reaches the server through the proxy.
func (p behind) command(folder string, args ...string) (output []byte, err error) {
	p.t.Helper()
	binary, err := buildWaft()
	require.NoError(p.t, err)
	command := exec.CommandContext(p.t.Context(), binary, args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "SSL_CERT_FILE="+p.proxy.authority, "WAFT_URL="+p.proxy.url, "WAFT_PROJECT="+p.slug,
		"WAFT_API_KEY="+p.keys[models.RoleAdmin])
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err = command.Output()
	p.t.Logf("waft %v: %v\n%s", args, err, problems.String())
	return output, err
}

// diagnosis returns what `waft doctor` finds through the proxy and at the server's admin address.
func (p behind) diagnosis(folder string) (r doctorReport) {
	p.t.Helper()
	admin, ok := adminURLs.Load(p.url)
	require.True(p.t, ok)
	output, _ := p.command(folder, "doctor", "--json", "--admin-url", admin.(string)) // fails if it finds a problem
	require.NoError(p.t, json.Unmarshal(output, &r), "%s", output)
	return r
}

// A server that does not trust the proxy in front of it says so.
func TestDoctorNamesTheSettingForAProxy(t *testing.T) {
	t.Parallel()
	p := edges[0].behind(t, settings(t))
	p.release()
	p.eventually(func() bool { return p.gets("", "production") != "" })
	p.launchDevices()
	report := p.diagnosis(t.TempDir())
	require.Equal(t, []string{"warning proxy"}, report.bad())
	proxy := slices.IndexFunc(report.Findings, func(f struct{ Check, Status, Message, Fix string }) bool { return f.Check == "proxy" })
	require.Contains(t, report.Findings[proxy].Message, "came from 127.0.0.1, which looks like a proxy: add it to WAFT_TRUSTED_PROXIES")
	require.Contains(t, report.Findings[proxy].Fix, "docs/operations/proxies.md")
}
