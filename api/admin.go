package api

import (
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/waft-ota/waft/api/rest"
)

// NewAdmin returns the handler of WAFT_ADMIN_ADDR, which only operators reach: liveness, readiness with its details,
// metrics, and profiles. On a loopback address it serves only requests that name this machine. Otherwise a web page could point
// its own host name to this address, and read the handler through the browser of someone who works on the machine.
func NewAdmin(r *Readiness, metrics prometheus.Gatherer, listens net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", NewLiveness())
	mux.Handle("GET /readyz", r.admin())
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	at, err := netip.ParseAddrPort(listens.String())
	local := err == nil && at.Addr().Unmap().IsLoopback()
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header()["X-Content-Type-Options"] = rest.NoSniff
		w.Header()["Cache-Control"] = rest.NoStore
		if local && !namesLoopback(req.Host) {
			http.Error(w, "this address serves only requests to localhost", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, req)
	})
}

// namesLoopback reports whether a Host header is localhost or a loopback address.
func namesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.Unmap().IsLoopback()
}
