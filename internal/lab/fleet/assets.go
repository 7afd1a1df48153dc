package fleet

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/waft-ota/waft/internal/assets/bsdiff"
)

// maxBundle is the maximum size in bytes of a bundle that a device creates from a patch.
const maxBundle = 64 << 20

// downloads records the downloads of all devices in the fleet.
type downloads struct {
	mu       sync.Mutex
	begun    map[Asset]int   // without failed ones
	verified map[Asset]int64 // sizes in bytes
	// bundles are launch assets by key, so that devices that run them can apply patches. The map is filled only if the
	// fleet requests patches.
	bundles map[string][]byte
}

// claim reports whether this device must download the asset. If not, claim returns the size of the verified content, or
// 0 while the first downloads are in progress.
func (ds *downloads) claim(a Asset, p AssetPolicy) (full bool, size int64) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if p.Rest != AssetFull && ds.begun[a] >= p.FullDownloads {
		return false, ds.verified[a]
	}
	ds.begun[a]++
	return true, 0
}

func (ds *downloads) settle(a Asset, content []byte, keep bool, err error) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if err != nil {
		ds.begun[a]--
		return
	}
	ds.verified[a] = int64(len(content))
	if keep {
		ds.bundles[a.Key] = content
	}
}

// bundle returns the launch asset of the update, or nil if the fleet did not download it.
func (ds *downloads) bundle(u *stored) []byte {
	if u.manifest == nil {
		return nil
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.bundles[u.manifest.Launch.Key]
}

// fetchAsset downloads one asset for a device, or does what the policy says instead. If one asset fails, the whole
// update fails, as on a real device.
func (f *Fleet) fetchAsset(ctx context.Context, d *device, running *stored, m *Manifest, a Asset) error {
	full, size := f.downloads.claim(a, f.options.Assets)
	if !full && f.options.Assets.Rest == AssetSkip {
		f.counters.count(func(s *Stats) { s.AssetSkips++ })
		return nil
	}
	method := http.MethodGet
	if !full {
		method = http.MethodHead
	}
	req, err := http.NewRequestWithContext(ctx, method, a.URL, nil)
	if err != nil {
		return err
	}
	d.assetHeaders(req.Header, running, m.ID)
	if full {
		err = f.downloadAsset(req, running, a, f.options.Patches && a == m.Launch)
	} else {
		err = f.headAsset(req, a, size)
	}
	if err != nil {
		return fmt.Errorf("asset %s: %w", a.Key, err)
	}
	return nil
}

// downloadAsset downloads and verifies an asset. With patch it first requests a patch, as the stock client does for a
// launch asset while an update runs. If the patch is unusable, it requests the complete file.
func (f *Fleet) downloadAsset(req *http.Request, running *stored, a Asset, patch bool) error {
	first := req
	if patch {
		first = req.Clone(req.Context())
		first.Header.Set("a-im", "bsdiff")
	}
	content, received, err := f.receiveAsset(first, running, a)
	if patch && err != nil {
		f.fail(req.Context(), "patch", err)
		var n int64
		content, n, err = f.receiveAsset(req, running, a)
		received += n
	}
	f.downloads.settle(a, content, patch, err)
	if err == nil {
		f.counters.count(func(s *Stats) {
			s.AssetDownloads++
			s.AssetBytes += received
		})
	}
	return err
}

// receiveAsset reads one response, and returns the asset and the number of bytes received.
func (f *Fleet) receiveAsset(req *http.Request, running *stored, a Asset) (content []byte, received int64, err error) {
	res, err := f.http.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer res.Body.Close()
	isPatch := res.StatusCode == http.StatusIMUsed || res.Header.Get("im") == "bsdiff"
	if !isPatch {
		if err := checkAssetHeaders(res, a); err != nil {
			return nil, 0, err
		}
	}
	content, err = io.ReadAll(res.Body)
	received = int64(len(content))
	if err != nil {
		return nil, received, err
	}
	if !isPatch {
		return content, received, checkContent(content, a)
	}
	if got := res.Header.Get("expo-base-update-id"); got != running.id() {
		return nil, received, &contentError{fmt.Sprintf("the patch is for %q, and %s runs", got, running.id())}
	}
	base := f.downloads.bundle(running)
	if base == nil {
		return nil, received, &contentError{"the bundle that the patch applies to is missing"}
	}
	if content, err = bsdiff.Apply(req.Context(), base, content, maxBundle); err != nil {
		return nil, received, err
	}
	if err := checkContent(content, a); err != nil {
		return nil, received, fmt.Errorf("the patched file: %w", err)
	}
	f.counters.count(func(s *Stats) {
		s.Patches++
		s.PatchBytes += received
	})
	return content, received, nil
}

// checkContent compares the hashes of a complete asset with the manifest.
func checkContent(content []byte, a Asset) error {
	sha, md := sha256.Sum256(content), md5.Sum(content)
	if got := base64.RawURLEncoding.EncodeToString(sha[:]); got != a.Hash {
		return &contentError{fmt.Sprintf("SHA-256 is %s, the manifest says %s", got, a.Hash)}
	}
	if got := hex.EncodeToString(md[:]); got != a.Key {
		return &contentError{fmt.Sprintf("MD5 is %s, not the key", got)}
	}
	return nil
}

func (f *Fleet) headAsset(req *http.Request, a Asset, size int64) error {
	f.counters.count(func(s *Stats) { s.AssetChecks++ })
	res, err := f.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := checkAssetHeaders(res, a); err != nil {
		return err
	}
	if said := res.Header.Get("content-length"); size > 0 && said != "" && said != strconv.FormatInt(size, 10) {
		return &contentError{fmt.Sprintf("content-length is %s, the content has %d bytes", said, size)}
	}
	return nil
}

func checkAssetHeaders(res *http.Response, a Asset) error {
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 512)) // only for the error
		return &statusError{status: res.StatusCode, body: body}
	}
	if got := res.Header.Get("content-type"); got != a.ContentType {
		return &contentError{fmt.Sprintf("content-type is %q, the manifest says %q", got, a.ContentType)}
	}
	return nil
}

type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }
