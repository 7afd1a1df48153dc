// Package guard keeps web pages away from servers on loopback. Every page that a browser
// shows can send requests to them, under their address or under a name of its own that
// resolves to 127.0.0.1 (DNS rebinding).
package guard

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Programs admits requests of programs on this machine, and of no web page.
func Programs(next http.Handler) http.Handler { return ProgramsNaming(nil, next) }

// ProgramsNaming admits requests as Programs does, and even requests whose Host is one of the hosts. These are the names of the server in a
// container network.
func ProgramsNaming(hosts []string, next http.Handler) http.Handler {
	return named(hosts, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" || !sentFrom(r, "none") {
			http.Error(w, "a web page must not send requests here: this server has no pages", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// OwnPages admits requests of programs on this machine and of the pages that next serves.
// Other pages may link to next, and no more.
func OwnPages(next http.Handler) http.Handler {
	return named(nil, func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin != "" && origin != "http://"+r.Host || !sentFrom(r, "none", "same-origin") && !followsLink(r) {
			http.Error(w, "a page of another origin must not send requests here", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func named(hosts []string, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if !loopback(r.Host) && (err != nil || !slices.Contains(hosts, host)) {
			http.Error(w, "the header Host must name this machine: 127.0.0.1, [::1] or localhost", http.StatusForbidden)
			return
		}
		next(w, r)
	})
}

// loopback reports whether host, with or without a port, is a name of this machine that
// is resolved without DNS.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// sentFrom reports whether the browser names one of the sites as the sender. Programs
// name none.
func sentFrom(r *http.Request, sites ...string) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || slices.Contains(sites, site)
}

// followsLink reports whether the request opens a page in a tab of its own.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}
