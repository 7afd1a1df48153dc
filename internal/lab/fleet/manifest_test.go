package fleet

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// goodManifest returns a manifest that both clients accept. Tests change it to make it invalid.
func goodManifest() map[string]any {
	asset := func(extension string) map[string]any {
		return map[string]any{
			"key": "0123456789abcdef0123456789abcdef", "hash": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
			"url": "http://127.0.0.1/a", "contentType": "image/png", "fileExtension": extension,
		}
	}
	return map[string]any{
		"id": "5f0cd9c2-0c4f-4f5e-8d0f-9a6f0a1b2c3d", "createdAt": "2026-01-02T03:04:05.678Z",
		"runtimeVersion": "1.0.0", "launchAsset": asset(".bundle"), "assets": []any{asset(".png")},
		"metadata": map[string]any{"branchName": "main", "isCritical": true},
		"extra":    map[string]any{"waft": map[string]any{"releaseId": 12, "isCritical": true, "releaseMessage": "two"}},
	}
}

func TestManifestIsReadWhole(t *testing.T) {
	t.Parallel()
	body, err := json.Marshal(goodManifest())
	require.NoError(t, err)
	m, err := ParseManifest(body)
	require.NoError(t, err)
	require.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC), m.CommitTime)
	require.Equal(t, map[string]string{"branchName": "main"}, m.Metadata)
	require.Equal(t, "two", m.Message)
	require.True(t, m.Critical)
	require.Len(t, m.Assets, 1)
	require.Equal(t, ".bundle", m.Launch.FileExtension)
}

func TestManifestsThatHarmAClientAreRefused(t *testing.T) {
	t.Parallel()
	in := func(m map[string]any, key string) map[string]any { return m[key].(map[string]any) }
	firstAsset := func(m map[string]any) map[string]any { return m["assets"].([]any)[0].(map[string]any) }
	for name, c := range map[string]struct {
		spoil func(map[string]any)
		bad   string
	}{
		"legacy":                    {func(m map[string]any) { m["releaseId"] = 1 }, "releaseId"},
		"upper-case id":             {func(m map[string]any) { m["id"] = "5F0CD9C2-0C4F-4F5E-8D0F-9A6F0A1B2C3D" }, "lower-case UUID"},
		"no milliseconds":           {func(m map[string]any) { m["createdAt"] = "2026-01-02T03:04:05Z" }, "createdAt"},
		"microseconds":              {func(m map[string]any) { m["createdAt"] = "2026-01-02T03:04:05.678901Z" }, "createdAt"},
		"an offset":                 {func(m map[string]any) { m["createdAt"] = "2026-01-02T03:04:05.678+01:00" }, "createdAt"},
		"null assets":               {func(m map[string]any) { m["assets"] = nil }, "assets is missing or null"},
		"no assets":                 {func(m map[string]any) { delete(m, "assets") }, "assets is missing or null"},
		"no metadata":               {func(m map[string]any) { delete(m, "metadata") }, "metadata"},
		"null in metadata":          {func(m map[string]any) { in(m, "metadata")["x"] = nil }, "metadata.x is null"},
		"metadata that collides":    {func(m map[string]any) { in(m, "metadata")["BRANCHNAME"] = "x" }, "twice"},
		"no extra":                  {func(m map[string]any) { delete(m, "extra") }, "extra"},
		"asset without extension":   {func(m map[string]any) { delete(firstAsset(m), "fileExtension") }, "fileExtension"},
		"extension without its dot": {func(m map[string]any) { firstAsset(m)["fileExtension"] = "png" }, "fileExtension"},
		"padded hash":               {func(m map[string]any) { firstAsset(m)["hash"] = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=" }, "hash"},
		"relative url":              {func(m map[string]any) { in(m, "launchAsset")["url"] = "/a" }, "url"},
		"key that is no MD5":        {func(m map[string]any) { in(m, "launchAsset")["key"] = "bundle" }, "key"},
		"no content type":           {func(m map[string]any) { delete(in(m, "launchAsset"), "contentType") }, "contentType"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := goodManifest()
			c.spoil(m)
			body, err := json.Marshal(m)
			require.NoError(t, err)
			_, err = ParseManifest(body)
			require.ErrorContains(t, err, c.bad)
		})
	}
}

func TestDirectives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, bad string
		want      time.Time
	}{
		"no update":    {`{"type":"noUpdateAvailable"}`, "", time.Time{}},
		"store update": {`{"type":"noUpdateAvailable","extra":{"storeUpdateRequired":true}}`, "", time.Time{}},
		"roll back": {
			`{"type":"rollBackToEmbedded","parameters":{"commitTime":"2026-01-02T03:04:05.678Z"}}`, "",
			time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC),
		},
		"roll back without a time": {`{"type":"rollBackToEmbedded"}`, "commitTime", time.Time{}},
		"an invented type":         {`{"type":"storeUpdate"}`, "end an Android app", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := parseDirective([]byte(c.body))
			if c.bad != "" {
				require.ErrorContains(t, err, c.bad)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, d)
		})
	}
}
