package app

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

// appQuestion is a request for the updates of an app on a platform.
type appQuestion struct {
	app         *expoApp
	configured  configured
	platform    models.Platform
	runtime     string
	certificate *x509.Certificate // nil for an app that does not check signatures
}

// checkUpdates asks for an update as the app does, checks its signature, and downloads one file.
func (d *doctor) checkUpdates(ctx context.Context, q appQuestion) {
	headers := map[string]string{channelHeader: q.configured.channel}
	if own, ok := at(q.app.config, "updates", "requestHeaders").(map[string]any); ok {
		for name, value := range own {
			if text, ok := value.(string); ok && name != channelHeader {
				headers[name] = text
			}
		}
	}
	reply, err := protocol.Ask(ctx, d.http, protocol.Question{
		URL: q.configured.url, Platform: q.platform, RuntimeVersion: q.runtime, Headers: headers,
		Signed: q.certificate != nil, KeyID: textAt(q.app.config, "updates", "codeSigningMetadata", "keyid"),
	})
	var refused *protocol.RefusedError
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
		d.problem("manifest", "check the project and the channel in the app's configuration",
			"%s: the server does not know the project or the channel: %s", q.platform, refused.Text)
		return
	case err != nil:
		d.problem("manifest", "see the error; `waft resolve --help` explains what a device gets", "%s: %v", q.platform, err)
		return
	}
	if q.certificate != nil {
		d.checkSignature(q, reply)
	}
	if reply.Manifest == nil {
		d.explainNothing(ctx, q, reply.Directive)
		return
	}
	d.ok("manifest", "%s: runtime version %s gets the update %s", q.platform, q.runtime, reply.Manifest.ID)
	d.checkAsset(ctx, q, reply)
}

func (d *doctor) checkSignature(q appQuestion, reply *protocol.Reply) {
	switch err := reply.Verify(q.certificate); {
	case errors.Is(err, protocol.ErrUnsigned) && reply.Manifest == nil && reply.Directive == "noUpdateAvailable":
		// A response without content has nothing to sign.
	case err != nil:
		d.problem("signature", "run `waft codesign check`", "%s: the app refuses this response: %v", q.platform, err)
	default:
		d.ok("signature", "%s: the app's certificate verifies the signature", q.platform)
	}
}

// explainNothing reports why a device without an identity does not get a release.
func (d *doctor) explainNothing(ctx context.Context, q appQuestion, directive string) {
	if directive != "noUpdateAvailable" {
		d.ok("manifest", "%s: runtime version %s gets the directive %s", q.platform, q.runtime, directive)
		return
	}
	if d.api == nil {
		d.warn("manifest", "publish a release with `waft publish`", "%s: runtime version %s does not get a release", q.platform, q.runtime)
		return
	}
	enabled, platform := client.ListUpdatesParamsIsEnabled("true"), client.ListUpdatesParamsPlatform(q.platform)
	found, err := d.api.ListUpdatesWithResponse(ctx, &client.ListUpdatesParams{
		Limit: new(int64(1)), Channel: &q.configured.channel, Platform: &platform, RuntimeVersion: &q.runtime, IsEnabled: &enabled,
	})
	if err == nil && found.JSON200 != nil && len(*found.JSON200) > 0 {
		r := (*found.JSON200)[0]
		d.ok("manifest", "%s: runtime version %s has release %d, which goes to %v%% of devices", q.platform, q.runtime, r.ID, r.RolloutPercentage)
		return
	}
	d.warn("manifest", "publish a release with `waft publish`, or compare the runtime version with `waft releases list`",
		"%s: channel %s has no release for runtime version %s", q.platform, q.configured.channel, q.runtime)
}

// checkAsset downloads the bundle. Its URL shows the address that the server names to devices.
func (d *doctor) checkAsset(ctx context.Context, q appQuestion, reply *protocol.Reply) {
	asset := reply.Manifest.LaunchAsset
	of, err := url.Parse(asset.URL)
	from, _ := url.Parse(q.configured.url) // it was used for the request
	if err == nil && of.Scheme != from.Scheme {
		d.problem("proxy", "set WAFT_BASE_URL on the server to "+from.Scheme+"://"+from.Host,
			"%s: files have the address %s://%s, while the app uses %s", q.platform, of.Scheme, of.Host, from.Scheme)
	}
	n, err := protocol.Download(ctx, d.http, reply, asset, io.Discard)
	var wrong *protocol.WrongHashError
	switch {
	case errors.As(err, &wrong):
		d.problem("asset", "check the proxies and CDNs between the server and devices, because files change on the way",
			"%s: %v", q.platform, err)
	case err != nil:
		d.problem("asset", "check WAFT_BASE_URL and WAFT_ASSET_BASE_URL on the server: devices must reach this address",
			"%s: %v", q.platform, err)
	default:
		d.ok("asset", "%s: the bundle (%d bytes) has the right hash", q.platform, n)
	}
}
