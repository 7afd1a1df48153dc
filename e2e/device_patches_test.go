package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"go.temporal.io/api/serviceerror"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/assets/bsdiff"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// checkedClient compares responses with the OpenAPI document.
var checkedClient = &http.Client{Transport: checked(http.DefaultTransport)}

// patchRecord is an entry in the response of GET /v1/ota/updates/{id}/patches.
type patchRecord struct {
	BaseUpdateID    *int64
	BaseUpdateUUID  string
	Status          models.PatchStatus
	SizeBytes       int64
	FullBytes       int64
	CompressedBytes int64
	Reason          string
	DurationMs      int64
}

// patches waits until all patches of a release exist, and returns them by the update that they start from.
func (p project) patches(t *testing.T, u client.Update, wanted int) map[string]patchRecord {
	t.Helper()
	var found []patchRecord
	eventually(t, func() bool {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/v1/ota/updates/%d/patches", p.url, u.ID), nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+p.key)
		req.Header.Set("X-Project", p.slug)
		res, err := checkedClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.NoError(t, json.NewDecoder(res.Body).Decode(&found))
		for _, one := range found {
			if one.Status == models.PatchPending {
				return false
			}
		}
		return len(found) >= wanted
	})
	byBase := map[string]patchRecord{}
	for _, one := range found {
		byBase[one.BaseUpdateUUID] = one
	}
	return byBase
}

// launchFile returns the bundle of an export.
func launchFile(t *testing.T, dir string, platform models.Platform) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "_expo/static/js", string(platform), "*.hbc"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	content, err := os.ReadFile(found[0])
	require.NoError(t, err)
	return content
}

// launchOf requests the manifest as a device that runs an update, and returns the launch asset.
func (p project) launchOf(t *testing.T, platform models.Platform, running string) fleet.Asset {
	t.Helper()
	d := protocolDevice{project: p, platform: platform, form: protocolForm{
		protocol: "1", accept: "multipart/mixed,application/expo+json,application/json", media: "multipart/mixed",
	}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"Accept": d.form.accept, "Expo-Protocol-Version": "1", "Expo-Platform": string(platform), "Expo-Runtime-Version": "1.0.0",
		"Expo-Channel-Name": "production", "Eas-Client-Id": uuid.NewString(), "Expo-Current-Update-ID": running,
	} {
		req.Header.Set(name, value)
	}
	res, err := checkedClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, _ := d.read(t, res, "manifest")
	manifest, err := fleet.ParseManifest(text)
	require.NoError(t, err)
	return manifest.Launch
}

// getLaunch downloads a launch asset as the stock client does while it runs an update.
func getLaunch(ctx context.Context, t *testing.T, a fleet.Asset, running string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"Accept": "*/*", "Accept-Encoding": "zstd, br, gzip", "A-IM": "bsdiff", "Expo-Current-Update-ID": running,
		"Expo-Protocol-Version": "1", "Expo-Api-Version": "1", "Expo-Updates-Environment": "BARE",
	} {
		req.Header.Set(name, value)
	}
	res, err := checkedClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, body
}

// A device that runs the previous release, or the bundle of its binary, downloads a patch for a real Hermes export with
// one changed component. The patched bundle is identical to the full one.
func TestPatchesOfRealExports(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	exports := realExports(t)
	embedded := map[models.Platform]string{}
	for _, platform := range []models.Platform{models.IOS, models.Android} {
		embedded[platform] = uuid.NewString()
		export, err := client.OpenExport(exports["broken"], platform)
		require.NoError(t, err)
		_, err = p.UploadExport(t.Context(), export, client.Upload{RuntimeVersion: "1.0.0", EmbeddedUpdateID: embedded[platform]})
		require.NoError(t, err)
	}
	stable := p.publish(t, exports["stable"], "stable", 0, models.IOS, models.Android)
	next := p.publish(t, exports["next"], "next", 0, models.IOS, models.Android)
	for i, u := range next {
		platform := models.Platform(u.Platform)
		t.Run(string(platform), func(t *testing.T) {
			t.Parallel()
			p.requireServed(t, u)
			made := p.patches(t, u, 2)
			require.Len(t, made, 2)
			for base, export := range map[string]string{stable[i].UpdateUUID.String(): "stable", embedded[platform]: "broken"} {
				record := made[base]
				require.Equal(t, models.PatchOffered, record.Status, record.Reason)
				launch := p.launchOf(t, platform, base)
				var res *http.Response
				var patch []byte
				eventually(t, func() bool {
					res, patch = getLaunch(t.Context(), t, launch, strings.ToUpper(base))
					return res.StatusCode == http.StatusIMUsed
				}, "the patch is served")
				require.Equal(t, "bsdiff", res.Header.Get("im"))
				require.Equal(t, strings.ToUpper(base), res.Header.Get("expo-base-update-id"))
				require.Equal(t, launch.ContentType, res.Header.Get("content-type"))
				require.Equal(t, "private, no-store", res.Header.Get("cache-control"))
				require.Empty(t, res.Header.Get("content-encoding"))
				require.Len(t, patch, int(record.SizeBytes))

				full := launchFile(t, exports["next"], platform)
				got, err := bsdiff.Apply(t.Context(), launchFile(t, exports[export], platform), patch, int64(len(full)))
				require.NoError(t, err)
				sum := sha256.Sum256(got)
				require.Equal(t, launch.Hash, base64.RawURLEncoding.EncodeToString(sum[:]))
				require.Less(t, len(patch)*10, len(full), "the patch must be a small fraction of the bundle")
				t.Logf("%s from %s: full %d, compressed %d, patch %d bytes in %d ms", platform, export,
					record.FullBytes, record.CompressedBytes, record.SizeBytes, record.DurationMs)
			}
			launch := p.launchOf(t, platform, uuid.NewString())
			res, body := getLaunch(t.Context(), t, launch, uuid.NewString())
			require.Equal(t, http.StatusOK, res.StatusCode, "for an unknown base the response is the whole file")
			require.NotEmpty(t, body)
			require.Contains(t, res.Header.Get("vary"), "A-IM")
		})
	}
}

// The setting limits how many patches a publish creates. There are two earlier releases, and only the release that
// devices run gets a patch. The first release does not have a base, so Waft does not start a workflow for it.
func TestNoMorePatchesThanAreWanted(t *testing.T) {
	t.Parallel()
	env := maps.Clone(settings(t))
	env["WAFT_PATCH_BASES"] = "1"
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	first := p.publish(t, exports["stable"], "stable", 0)
	before := p.publish(t, exports["next"], "next", 0)
	last := p.publish(t, exports["broken"], "broken", 0)
	made := p.patches(t, last[0], 1)
	require.Len(t, made, 1)
	require.Contains(t, made, before[0].UpdateUUID.String())

	tc := dialTemporal(t, env)
	workflow := func(u client.Update) error {
		_, err := tc.DescribeWorkflowExecution(t.Context(), fmt.Sprintf("patches/%s/%d", p.slug, u.ID), "")
		return err
	}
	require.NoError(t, workflow(last[0]))
	var notFound *serviceerror.NotFound
	require.ErrorAs(t, workflow(first[0]), &notFound)
}
