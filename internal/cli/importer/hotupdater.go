package importer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

const (
	// noBundle is the ID that a device of hot-updater without a bundle sends.
	noBundle = "00000000-0000-0000-0000-000000000000"
	// cohorts is the number of cohorts into which hot-updater divides devices.
	cohorts = 1000
)

// exactVersion matches the version of an app, as opposed to a range of versions.
var exactVersion = regexp.MustCompile(`^\d+(\.\d+){0,2}(-[0-9A-Za-z.-]+)?$`)

// hotUpdater is a server of hot-updater whose routes for bundles are mounted.
type hotUpdater struct {
	http     *http.Client
	url, dir string
	headers  []string
}

func importHotUpdater(s *command.Settings) *cobra.Command {
	h, o := &hotUpdater{http: newHTTPClient()}, options{}
	cmd := s.Calling("hot-updater URL", "Import from a hot-updater server", func(c command.Call) error {
		h.url = strings.TrimRight(c.Args[0], "/")
		if h.dir == "" && o.releases > 1 {
			return command.Usagef("hot-updater serves only its newest bundles; for --releases above 1, " +
				"name a copy of its storage with --storage")
		}
		return o.run(c, h)
	})
	cmd.Long = "hot-updater reads channels and bundles from a server of hot-updater. URL contains its base path, and the server must\n" +
		"have the routes for bundles (routes: { bundles: true }). The bundles are downloaded as a device does, or read from a " +
		"copy of the storage.\n" +
		"Installed builds with hot-updater do not ask Waft: the releases are for builds with expo-updates. Each channel becomes a\n" +
		"channel and a branch. The runtime version is the fingerprint, or the target app version if it is exact."
	cmd.Example = "  waft import hot-updater https://updates.example.com/hot-updater --header 'Authorization: Bearer …' --dry-run"
	f := cmd.Flags()
	f.StringVar(&h.dir, "storage", "", "folder with a copy of the server's storage")
	f.StringArrayVar(&h.headers, "header", nil, "header of requests to the server, as 'Name: value'; can be repeated")
	o.register(cmd)
	return cmd
}

func (h *hotUpdater) name() string { return "hot-updater" }

type hotBundle struct {
	ID                 string   `json:"id"`
	Platform           string   `json:"platform"`
	ShouldForceUpdate  bool     `json:"shouldForceUpdate"`
	Enabled            bool     `json:"enabled"`
	FileHash           string   `json:"fileHash"`
	StorageURI         string   `json:"storageUri"`
	GitCommitHash      string   `json:"gitCommitHash"`
	Message            string   `json:"message"`
	Channel            string   `json:"channel"`
	TargetAppVersion   string   `json:"targetAppVersion"`
	FingerprintHash    string   `json:"fingerprintHash"`
	RolloutCohortCount *float64 `json:"rolloutCohortCount"`
	TargetCohorts      []string `json:"targetCohorts"`
}

func (h *hotUpdater) read(ctx context.Context) (*inventory, error) {
	inv := &inventory{}
	read := cursors{}
	for cursor := ""; ; {
		var page struct {
			Data       []hotBundle `json:"data"`
			Pagination struct {
				HasNextPage bool   `json:"hasNextPage"`
				NextCursor  string `json:"nextCursor"`
			} `json:"pagination"`
		}
		query := url.Values{"limit": {"100"}}
		if cursor != "" {
			query.Set("after", cursor)
		}
		if err := h.get(ctx, "/api/bundles?"+query.Encode(), &page); err != nil {
			return nil, err
		}
		for _, b := range page.Data {
			b.addTo(inv)
		}
		if !page.Pagination.HasNextPage || page.Pagination.NextCursor == "" {
			break
		}
		cursor = page.Pagination.NextCursor
		if err := read.add(cursor); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(inv.channels, func(a, b channel) int { return cmp.Compare(a.name, b.name) })
	return inv, nil
}

func (b hotBundle) addTo(inv *inventory) {
	if !slices.ContainsFunc(inv.channels, func(c channel) bool { return c.name == b.Channel }) {
		inv.channels = append(inv.channels, channel{name: b.Channel, branch: b.Channel})
	}
	what := "bundle " + b.ID
	runtime := cmp.Or(b.FingerprintHash, b.TargetAppVersion)
	switch {
	case !b.Enabled:
		inv.skipped = append(inv.skipped, skipped{what, "it is disabled"})
		return
	case b.FingerprintHash == "" && !exactVersion.MatchString(b.TargetAppVersion):
		inv.skipped = append(inv.skipped, skipped{
			what, fmt.Sprintf("its target app version %q is a range, and a runtime version is exact", b.TargetAppVersion),
		})
		return
	}
	r := release{
		id: b.ID, branch: b.Channel, runtimeVersion: runtime, platform: models.Platform(b.Platform), message: b.Message, commit: b.GitCommitHash,
		createdAt: timeOf(b.ID), percentage: 100, critical: b.ShouldForceUpdate, location: b.StorageURI + "\n" + b.FileHash,
	}
	if b.RolloutCohortCount != nil {
		r.percentage = *b.RolloutCohortCount * 100 / cohorts
	}
	if len(b.TargetCohorts) > 0 {
		inv.skipped = append(inv.skipped, skipped{"the cohorts of " + what, "Waft does not know them; use overrides or segments"})
	}
	inv.releases = append(inv.releases, r)
}

// timeOf returns the time in a UUID of version 7, or the zero time.
func timeOf(id string) time.Time {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return time.Time{}
	}
	return time.Unix(u.Time().UnixTime()).UTC()
}

// fetch gets the archive of a bundle, checks its hash, and turns it into an export.
func (h *hotUpdater) fetch(ctx context.Context, r release, dir string) error {
	location, hash, _ := strings.Cut(r.location, "\n")
	file, err := os.CreateTemp("", "waft-bundle-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // the system clears its folder of temporary files
	sum := sha256.New()
	err = h.archive(ctx, r, location, io.MultiWriter(file, sum))
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("downloading the bundle: %w", err)
	}
	// A signed bundle has a signature instead of the hash. The hashes of its files are checked below.
	signed := strings.HasPrefix(hash, "sig:")
	if got := hex.EncodeToString(sum.Sum(nil)); !signed && got != hash {
		return fmt.Errorf("the bundle has the hash %s, but hot-updater says %s", got, hash)
	}
	if err := unpack(file.Name(), path.Ext(location), dir); err != nil {
		return fmt.Errorf("the archive of the bundle: %w", err)
	}
	return toExport(dir, r.platform, signed)
}

// archive copies the archive from the copy of the storage, or downloads it as a device does.
func (h *hotUpdater) archive(ctx context.Context, r release, location string, out io.Writer) error {
	if h.dir != "" {
		at, err := url.Parse(location)
		if err != nil {
			return err
		}
		for _, name := range []string{path.Join(at.Host, at.Path), at.Path} { // with and without the bucket
			if file, err := os.Open(filepath.Join(h.dir, filepath.FromSlash(path.Clean("/"+name)))); err == nil {
				_, err := io.Copy(out, file)
				return errors.Join(err, file.Close())
			}
		}
		return fmt.Errorf("%s has no file for %s", h.dir, location)
	}
	route := "/app-version/"
	if !exactVersion.MatchString(r.runtimeVersion) {
		route = "/fingerprint/"
	}
	for cohort := 1; cohort <= cohorts; cohort++ {
		var update struct {
			ID      string `json:"id"`
			FileURL string `json:"fileUrl"`
		}
		parts := []string{string(r.platform), r.runtimeVersion, r.branch, noBundle, noBundle, strconv.Itoa(cohort)}
		for i := range parts {
			parts[i] = url.PathEscape(parts[i])
		}
		if err := h.get(ctx, route+strings.Join(parts, "/"), &update); err != nil {
			return err
		}
		if update.ID == r.id {
			return h.download(ctx, update.FileURL, out)
		}
		if r.percentage >= 100 && cohort > 1 {
			break // all cohorts get the same bundle
		}
	}
	return errors.New("the server does not serve the bundle to any device; name a copy of its storage with --storage")
}

func (h *hotUpdater) download(ctx context.Context, address string, out io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := h.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responded with status %d", req.URL.Host, res.StatusCode)
	}
	_, err = protocol.CopyBody(out, res)
	return err
}

func (h *hotUpdater) get(ctx context.Context, route string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+route, nil)
	if err != nil {
		return command.Usagef("%q is not the address of a hot-updater server", h.url)
	}
	for _, header := range h.headers {
		name, value, ok := strings.Cut(header, ":")
		if !ok {
			return command.Usagef("--header must be 'Name: value', not %q", header)
		}
		req.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return fetchJSON(h.http, req, into)
}

// toExport adds the metadata.json of an export to the files of a bundle, after a check of their hashes. If the archive has no hash,
// each file needs one.
func toExport(dir string, platform models.Platform, needsHashes bool) error {
	var manifest struct {
		Assets map[string]struct {
			FileHash string `json:"fileHash"`
		} `json:"assets"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) { // old bundles have no manifest
		return err
	}
	var bundle string
	var assets []exportedFile
	err = filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(relative)
		if name == "manifest.json" {
			return nil
		}
		hash, ext := manifest.Assets[name].FileHash, path.Ext(name)
		if hash == "" && needsHashes && ext != ".map" {
			return fmt.Errorf("the bundle is signed, and its manifest.json has no hash of %s", name)
		}
		if err := checkFile(file, hash); err != nil {
			return err
		}
		switch ext {
		case ".bundle", ".jsbundle", ".hbc":
			if bundle != "" {
				return fmt.Errorf("the bundle has two programs: %s and %s", bundle, name)
			}
			bundle = name
		case ".map":
		default:
			assets = append(assets, exportedFile{name, strings.TrimPrefix(ext, ".")})
		}
		return nil
	})
	if err == nil && bundle == "" {
		err = errors.New("the bundle has no file that ends in .bundle, .jsbundle or .hbc")
	}
	if err != nil {
		return err
	}
	return writeMetadata(dir, platform, bundle, assets)
}

// checkFile compares the SHA-256 of a file with the one in hex, unless that is empty.
func checkFile(name, want string) error {
	if want == "" {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%s has the hash %s, but its manifest says %s", filepath.Base(name), got, want)
	}
	return nil
}
