package importer

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // Expo names assets by MD5
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

// exportedFile is a file in the metadata.json of an export.
type exportedFile struct {
	Path string `json:"path"`
	Ext  string `json:"ext"`
}

// writeMetadata writes the metadata.json of an export for one platform.
func writeMetadata(dir string, platform models.Platform, bundle string, assets []exportedFile) error {
	type platformFiles struct {
		Bundle string         `json:"bundle"`
		Assets []exportedFile `json:"assets"`
	}
	if assets == nil {
		assets = []exportedFile{}
	}
	text, err := json.Marshal(map[string]any{
		"version": 0, "bundler": "metro", "fileMetadata": map[models.Platform]platformFiles{platform: {bundle, assets}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "metadata.json"), text, 0o600)
}

// downloadExport downloads the files of a manifest and writes an export from them.
func downloadExport(ctx context.Context, hc *http.Client, reply *protocol.Reply, platform models.Platform, dir string) error {
	m := reply.Manifest
	bundle := path.Join("_expo/static/js", string(platform), "bundle.js")
	if _, err := downloadFile(ctx, hc, reply, m.LaunchAsset, filepath.Join(dir, filepath.FromSlash(bundle))); err != nil {
		return err
	}
	var assets []exportedFile
	for _, a := range m.Assets {
		content, err := downloadFile(ctx, hc, reply, a, filepath.Join(dir, "asset"))
		if err != nil {
			return err
		}
		name := path.Join("assets", content)
		if err := os.MkdirAll(filepath.Join(dir, "assets"), 0o700); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(dir, "asset"), filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
		assets = append(assets, exportedFile{name, strings.TrimPrefix(a.FileExtension, ".")})
	}
	var extra struct {
		ExpoClient json.RawMessage `json:"expoClient"`
	}
	if err := json.Unmarshal(m.Extra, &extra); err == nil && len(extra.ExpoClient) > 0 && !bytes.Equal(extra.ExpoClient, []byte("null")) {
		if err := os.WriteFile(filepath.Join(dir, "expoConfig.json"), extra.ExpoClient, 0o600); err != nil {
			return err
		}
	}
	return writeMetadata(dir, platform, bundle, assets)
}

// downloadFile downloads an asset, checks its hash, and returns its MD5 in hex. The key of an asset without a hash is its MD5.
func downloadFile(ctx context.Context, hc *http.Client, reply *protocol.Reply, a protocol.Asset, to string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	file, err := os.Create(to)
	if err != nil {
		return "", err
	}
	sum := md5.New() //nolint:gosec // see above
	_, err = protocol.Download(ctx, hc, reply, a, io.MultiWriter(file, sum))
	got := hex.EncodeToString(sum.Sum(nil))
	if err == nil && a.Hash == "" && got != a.Key {
		err = fmt.Errorf("%s has no hash in its manifest, and its MD5 %s is not its key", a.URL, got)
	}
	return got, errors.Join(err, file.Close())
}

// checkAssetNames checks the assets of an export whose names are the MD5 of their content.
func checkAssetNames(dir string, files []string) error {
	for _, name := range files {
		base := path.Base(name)
		if _, err := hex.DecodeString(base); err != nil || len(base) != 2*md5.Size {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		sum := md5.Sum(text) //nolint:gosec // see above
		if got := hex.EncodeToString(sum[:]); got != base {
			return fmt.Errorf("%s has the hash %s, so its content is damaged", filepath.Join(dir, name), got)
		}
	}
	return nil
}
