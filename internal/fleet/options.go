package fleet

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Options say what fleet to simulate and against which server.
type Options struct {
	// BaseURL is the server's public address; devices of the fleet talk to it
	// without a key.
	BaseURL     string
	ProjectSlug string
	Channel     string
	// RuntimeVersion is that of every device's binary.
	RuntimeVersion string
	// Devices is the size of the fleet.
	Devices int
	// IOSPercent of the devices run iOS, the rest Android; 0–100.
	IOSPercent float64
	// Seed names the fleet: the same seed is the same devices with the same ids,
	// crashing on the same releases.
	Seed int64
	// WaitForUpdate makes a start wait for the update that it finds and run it, as
	// fallbackToCacheTimeout does. Without it an update runs at the next start,
	// unless it is critical.
	WaitForUpdate bool
	Assets        AssetPolicy
	// Patches makes devices ask for launch assets as binary patches, as clients since
	// SDK 55 do. It costs them processor time, and the fleet the memory of each bundle.
	Patches bool
	// ReportAttempts is how often a device tries to deliver a health report that
	// the server could not take; 0 means 3.
	ReportAttempts int
	// RequestTimeout bounds one request; 0 means 30 s.
	RequestTimeout time.Duration
	// AllowRemote lets devices talk to other machines. Without it every connection
	// to an address that is not loopback is refused, wherever the manifest or a
	// redirect points.
	AllowRemote bool
	// Connections is how many idle connections are kept; 0 means 64. Set it to the
	// number of workers of the load.
	Connections int
	// OnLaunch, if set, is told of every launch. It is called by many goroutines at
	// once and must not block.
	OnLaunch func(Launch)
	// Now is the clock; nil means the real one.
	Now func() time.Time
}

// AssetPolicy bounds what the fleet downloads. A real device downloads every
// asset that it does not hold; thousands of simulated ones on one machine would
// only measure the loopback. So the first FullDownloads devices fetch an asset's
// bytes and check its SHA-256, and all later ones do what Rest says.
type AssetPolicy struct {
	// FullDownloads of each asset by the whole fleet; 0 means 3.
	FullDownloads int
	Rest          AssetRest
}

// AssetRest is what a device does with an asset that others of the fleet have
// downloaded and verified before.
type AssetRest string

// Ways to treat a verified asset.
const (
	// AssetHead asks for the asset's headers and checks status, size and type.
	AssetHead AssetRest = "head"
	// AssetSkip asks for nothing.
	AssetSkip AssetRest = "skip"
	// AssetFull downloads and verifies it all the same.
	AssetFull AssetRest = "full"
)

func (o Options) withDefaults() Options {
	if o.Assets.FullDownloads == 0 {
		o.Assets.FullDownloads = 3
	}
	if o.Assets.Rest == "" {
		o.Assets.Rest = AssetHead
	}
	if o.ReportAttempts == 0 {
		o.ReportAttempts = 3
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = 30 * time.Second
	}
	if o.Connections == 0 {
		o.Connections = 64
	}
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
		bad("verified assets can be treated as head, skip or full, not %q", o.Assets.Rest)
	}
	return errors.Join(errs...)
}
