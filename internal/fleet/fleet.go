package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
)

// Fleet is a number of simulated devices.
type Fleet struct {
	options   Options
	http      *http.Client
	devices   []*device
	locks     []sync.Mutex
	rules     atomic.Pointer[[]Rule]
	manifests sync.Map // SHA-256 of a manifest's bytes to *Manifest
	shelf     *assetShelf
	bundles   bundles
	counters  *counters
	// run tells the reports of this fleet from those of an earlier one with the
	// same devices.
	run string
}

// New makes a fleet. Nothing is sent before it is launched.
func New(o Options) (*Fleet, error) {
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	f := &Fleet{
		options:  o,
		http:     newHTTPClient(o),
		devices:  make([]*device, o.Devices),
		locks:    make([]sync.Mutex, o.Devices),
		shelf:    newAssetShelf(),
		counters: newCounters(),
		run:      uuid.NewString(),
	}
	for i := range f.devices {
		identity := identify(o, i)
		f.devices[i] = &device{Identity: identity, storage: newStorage(identity)}
	}
	f.SetRules()
	return f, nil
}

// SetRules replaces the rules of what goes wrong on which release, from the next
// launch on.
func (f *Fleet) SetRules(rules ...Rule) { f.rules.Store(&rules) }

// SetExtraParam sets an extra parameter of the device at index, as the app does
// with Updates.setExtraParamAsync; "" removes it.
func (f *Fleet) SetExtraParam(index int, key, value string) {
	f.locks[index].Lock()
	defer f.locks[index].Unlock()
	d := f.devices[index]
	if value == "" {
		delete(d.extraParams, key)
		return
	}
	if d.extraParams == nil {
		d.extraParams = map[string]string{}
	}
	d.extraParams[key] = value
}

// Device is the identity of the device at index.
func (f *Fleet) Device(index int) Identity { return f.devices[index].Identity }

// Launch starts the app once on the device at index. What goes wrong is in the
// launch's outcome and in the statistics.
func (f *Fleet) Launch(ctx context.Context, index int) Launch {
	f.locks[index].Lock()
	l := f.launch(ctx, f.devices[index])
	f.locks[index].Unlock()
	if f.options.OnLaunch != nil && ctx.Err() == nil {
		f.options.OnLaunch(l)
	}
	return l
}

// Stats is what the fleet did so far.
func (f *Fleet) Stats() Stats { return f.counters.snapshot(len(f.devices)) }

// Close lets go of idle connections.
func (f *Fleet) Close() { f.http.CloseIdleConnections() }

// fail counts a failure under what was asked and how it failed; what fails because
// the fleet was told to stop is none.
func (f *Fleet) fail(ctx context.Context, what string, err error) {
	if ctx.Err() != nil {
		return
	}
	f.counters.fail(what+": "+failureKind(err), err)
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
