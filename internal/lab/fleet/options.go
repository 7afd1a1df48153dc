package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Options say what fleet to simulate and against which server.
type Options struct {
	// BaseURL is the server's public address.
	BaseURL     string
	ProjectSlug string
	Channel     string
	// RuntimeVersion is that of every device's binary.
	RuntimeVersion string
	// Devices is the size of the fleet.
	Devices int
	// IOSPercent of the devices run iOS, the rest Android; 0–100.
	IOSPercent float64
	// Seed determines the devices: the same seed gives the same ids, and the same devices
	// crash on the same bundles.
	Seed int64
	// WaitForUpdate makes a start wait for the update that it finds and run it, as
	// fallbackToCacheTimeout does. Without it an update runs at the next start,
	// unless it is critical.
	WaitForUpdate bool
	Assets        AssetPolicy
	// Patches makes devices request launch assets as binary patches, as clients since
	// SDK 55 do. The fleet then keeps each downloaded bundle in memory.
	Patches bool
	// AllowRemote permits connections to other machines. Without it every connection
	// to an address that is not loopback fails, also after a redirect.
	AllowRemote bool
	// Connections is how many idle connections are kept; 0 means 64. Set it to the
	// number of workers of the load.
	Connections int
	// Timeout bounds each request; 0 means 30 s.
	Timeout time.Duration
	// OnLaunch, if set, is called after every launch. Calls are concurrent and must
	// not block.
	OnLaunch func(Launch)
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// AssetPolicy bounds what the fleet downloads: the first FullDownloads devices download
// an asset and check its SHA-256, later ones do what Rest says. Thousands of complete
// downloads on one machine would only measure the loopback interface.
type AssetPolicy struct {
	// FullDownloads of each asset by the whole fleet; 0 means 3.
	FullDownloads int
	Rest          AssetRest
}

// AssetRest is what a device does with an asset after FullDownloads others. "" is
// AssetHead.
type AssetRest string

// What devices do with such an asset.
const (
	// AssetHead sends a HEAD request and checks status, size and type.
	AssetHead AssetRest = "head"
	// AssetSkip sends no request.
	AssetSkip AssetRest = "skip"
	// AssetFull downloads and verifies it too.
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
