package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// foreign lists what a browser sends for a page of another site. It is either the Host of a name that the attacker has
// rebound to 127.0.0.1, or the headers of a page that addresses the engine's port directly.
var foreign = []struct {
	what, host string
	header     map[string]string
}{
	{what: "a rebound Host", host: "attacker.example"},
	{what: "a foreign Origin", header: map[string]string{"Origin": "https://attacker.example"}},
	{what: "a cross-site image", header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
}

// rebindClickHouse sends what a page could make a browser send, with the password, which pages do not even know.
func rebindClickHouse(ctx context.Context, t *target) (string, error) {
	u, err := url.Parse(t.clickHouse)
	if err != nil || t.clickHouse == "" || !strings.HasPrefix(u.Scheme, "http") {
		return "", skipped("CLICKHOUSE_URL is not an HTTP address")
	}
	if !onThisMachine(t.clickHouse) {
		return "", skipped("ClickHouse is not a development engine on this machine")
	}
	password, _ := u.User.Password()
	login := map[string]string{"X-ClickHouse-User": u.User.Username(), "X-ClickHouse-Key": password}
	ask := func(method, statement, host string, headers ...map[string]string) (int, error) {
		r := request{method: method, path: "http://" + u.Host + "/?query=" + url.QueryEscape(statement), host: host, header: map[string]string{}}
		for _, header := range headers {
			for name, value := range header {
				r.header[name] = value
			}
		}
		a, err := t.send(ctx, r)
		return a.status, err
	}
	if status, err := ask(http.MethodGet, "SELECT 1", "", login); err != nil || status != http.StatusOK {
		return "", fmt.Errorf("with its password ClickHouse returns %d: %w", status, err)
	}
	for _, f := range foreign {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if status, err := ask(method, "SELECT 1", f.host, login, f.header); err != nil || status == http.StatusOK {
				return "", broken(fmt.Sprintf("%s with %s is executed: %d %v", method, f.what, status, err))
			}
		}
	}
	if status, err := ask(http.MethodGet, "SELECT 1", ""); err != nil || status == http.StatusOK {
		return "", broken("statements work without a password")
	}
	const write = "CREATE TABLE IF NOT EXISTS attacked (x UInt8) ENGINE = Memory"
	if status, err := ask(http.MethodGet, write, "", login); err != nil || status == http.StatusOK {
		_, _ = ask(http.MethodPost, "DROP TABLE IF EXISTS attacked", "", login) // remove the table
		return "", broken("GET writes")
	}
	if status, err := ask(http.MethodPost, "SELECT * FROM file('/etc/hostname', 'LineAsString')", "", login); err != nil || status == http.StatusOK {
		return "", broken("file() can read any file")
	}
	return "foreign Host, Origin and Sec-Fetch-Site are refused, GET only reads, file() cannot read files outside its folder", nil
}

// rebindTemporal sends requests to Temporal's UI, which forwards calls to the API, and to the port of the API.
func rebindTemporal(ctx context.Context, t *target) (string, error) {
	if t.temporalUI == "" || !onThisMachine(t.temporalUI) {
		return "", skipped("WAFT_TEMPORAL_UI_URL does not name a development engine on this machine")
	}
	base := strings.TrimSuffix(t.temporalUI, "/")
	if a, err := t.send(ctx, request{path: base + "/api/v1/namespaces"}); err != nil || a.status != http.StatusOK {
		return "", fmt.Errorf("the UI of Temporal returns %d: %w", a.status, err)
	}
	addresses := []string{base}
	if t.temporal != "" && onThisMachine(t.temporal) {
		addresses = append(addresses, "http://"+t.temporal)
	}
	for _, address := range addresses {
		for _, path := range []string{"/", "/api/v1/namespaces"} {
			for _, f := range foreign {
				a, err := t.send(ctx, request{path: address + path, host: f.host, header: f.header})
				if err == nil && a.status < 400 {
					return "", broken(fmt.Sprintf("%s of %s responds to %s with %d", path, address, f.what, a.status))
				}
			}
		}
	}
	return "foreign Host, Origin and Sec-Fetch-Site are refused", nil
}
