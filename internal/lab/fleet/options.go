package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Options describe a fleet and the server that it uses.
type Options struct {
	// BaseURL is the server's public address.
	BaseURL     string
	ProjectSlug string
	Channel     string
	// RuntimeVersion is the runtime version of every device's binary.
	RuntimeVersion string
	// Devices is the size of the fleet.
	Devices int
	// IOSPercent is the percentage of devices that run iOS, 0 to 100. The others run Android.
	IOSPercent float64
	// Seed determines the devices. The same seed gives the same IDs, and the same devices crash on the same bundles.
	Seed int64
	// WaitForUpdate makes a start wait for the update that it finds, and run it, as fallbackToCacheTimeout does.
	// Without it an update runs at the next start, unless the update is critical.
	WaitForUpdate bool
	Assets        AssetPolicy
	// Patches makes devices request launch assets as binary patches, as clients from SDK 55 on do. The fleet then keeps
	// each downloaded bundle in memory.
	Patches bool
	// AllowRemote permits connections to other machines. Without it every connection to an address that is not loopback
	// fails, even after a redirect.
	AllowRemote bool
	// Connections is the number of idle connections to keep; 0 means 64. Set it to the number of workers in Load.
	Connections int
	// Timeout is the time limit of each request; 0 means 30 s.
	Timeout time.Duration
	// OnLaunch, if set, is called after every launch. Calls are concurrent and must not block.
	OnLaunch func(Launch)
	// Now is the clock; nil means the real clock.
	Now func() time.Time
}

// AssetPolicy limits the downloads of the fleet. The first FullDownloads devices download an asset and check its
// SHA-256; later devices do what Rest says. Thousands of complete downloads on one machine would only measure the
// loopback interface.
type AssetPolicy struct {
	// FullDownloads is the number of downloads per asset in the whole fleet; 0 means 3.
	FullDownloads int
	Rest          AssetRest
}

// AssetRest is the action for an asset after FullDownloads devices have downloaded it. "" means AssetHead.
type AssetRest string

// Actions for an asset after its full downloads.
const (
	// AssetHead sends a HEAD request and checks status, size and type.
	AssetHead AssetRest = "head"
	// AssetSkip skips the request.
	AssetSkip AssetRest = "skip"
	// AssetFull downloads and verifies the asset too.
	AssetFull AssetRest = "full"
)

func (o Options) withDefaults() Options {
	o.Assets.FullDownloads = cmp.Or(o.Assets.FullDownloads, 3)
	o.Assets.Rest = cmp.Or(o.Assets.Rest, AssetHead)
	o.Connections = cmp.Or(o.Connections, 64)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func (o Options) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		bad("the server's URL %q must be an absolute http or https URL", o.BaseURL)
	}
	for _, required := range []struct{ name, value string }{
		{"project", o.ProjectSlug}, {"channel", o.Channel}, {"runtime version", o.RuntimeVersion},
	} {
		if required.value == "" {
			bad("the %s is missing", required.name)
		}
	}
	if o.Devices < 1 {
		bad("a fleet needs at least one device, not %d", o.Devices)
	}
	if o.IOSPercent < 0 || o.IOSPercent > 100 {
		bad("the share of iOS devices must be from 0 to 100 percent, not %v", o.IOSPercent)
	}
	switch o.Assets.Rest {
	case AssetHead, AssetSkip, AssetFull:
	default:
		bad("assets after the full downloads can be treated as head, skip or full, not %q", o.Assets.Rest)
	}
	return errors.Join(errs...)
}
