// Package fleet simulates thousands of devices with stable IDs that run an app with the stock expo-updates client. A
// device starts the app, requests a manifest and downloads missing assets. It chooses the update for the next start as
// the real client does, and reports its health.
//
// A device keeps only what the real client keeps: stored updates with their commit times and failed launches, the
// manifest filters and the server-defined headers. After a cold start it therefore runs what a real device would run.
// The fleet reads responses strictly: a response that the client of either platform rejects is a failure here.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// Fleet is a number of simulated devices.
type Fleet struct {
	options   Options
	http      *http.Client
	devices   []*device
	rules     atomic.Pointer[[]Rule]
	downloads downloads
	counters  counters
	// run is in the idempotency keys of the fleet's reports. It distinguishes them from reports of an earlier fleet
	// with the same devices.
	run string
}

// New creates a fleet. The fleet sends its first request at the first launch.
func New(o Options) (*Fleet, error) {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	f := &Fleet{
		options: o, http: newHTTPClient(o), run: uuid.NewString(),
		downloads: downloads{begun: map[Asset]int{}, verified: map[Asset]int64{}, bundles: map[string][]byte{}},
		counters:  counters{failures: map[string]Failure{}, running: map[Ref]int{}},
	}
	for i := range o.Devices {
		identity := identify(o, i)
		f.devices = append(f.devices, &device{Identity: identity, storage: newStorage(identity)})
	}
	f.SetRules()
	return f, nil
}

// SetRules replaces the rules for failing releases, from the next launch on.
func (f *Fleet) SetRules(rules ...Rule) { f.rules.Store(&rules) }

// Launch starts the app once on the device at index. Failures are recorded in the launch's outcome and in the
// statistics.
func (f *Fleet) Launch(ctx context.Context, index int) Launch {
	d := f.devices[index]
	d.mu.Lock()
	l := f.launch(ctx, d)
	d.mu.Unlock()
	if f.options.OnLaunch != nil && ctx.Err() == nil {
		f.options.OnLaunch(l)
	}
	return l
}

// Stats returns the statistics of the fleet so far.
func (f *Fleet) Stats() Stats { return f.counters.snapshot(len(f.devices)) }

// Close closes idle connections.
func (f *Fleet) Close() { f.http.CloseIdleConnections() }

// fail counts a failure of an operation by its kind. It ignores errors after the end of ctx, because the end causes
// errors.
func (f *Fleet) fail(ctx context.Context, operation string, err error) {
	if ctx.Err() == nil {
		f.counters.fail(operation+": "+failureKind(err), err)
	}
}

func failureKind(err error) string {
	var status *statusError
	var content *contentError
	var network interface{ Timeout() bool }
	switch {
	case errors.As(err, &status):
		return fmt.Sprintf("status %d", status.status)
	case errors.As(err, &content):
		return "content"
	case errors.As(err, &network) && network.Timeout():
		return "timeout"
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection"
	default:
		return "protocol"
	}
}

// newHTTPClient creates the client that all devices share. It keeps connections open, because thousands of short-lived
// connections would use up the machine's ports.
func newHTTPClient(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: cmp.Or(o.Timeout, 10*time.Second), KeepAlive: 30 * time.Second}
	if !o.AllowRemote {
		dialer.Control = refuseRemote
	}
	return &http.Client{
		Timeout: cmp.Or(o.Timeout, 30*time.Second),
		Transport: &http.Transport{
			// A proxy is not used, because it would connect to addresses that are not loopback.
			DialContext:         dialer.DialContext,
			MaxIdleConns:        o.Connections,
			MaxIdleConnsPerHost: o.Connections,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
			ReadBufferSize:      16 << 10,
		},
	}
}

// refuseRemote runs after a name is resolved and before each connection. No host name, asset URL or redirect can
// therefore lead a fleet to another server.
func refuseRemote(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("checking whether %s is loopback: %w", address, err)
	}
	if !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not on this machine; a fleet talks to other machines only when told to", at.Addr())
	}
	return nil
}
