package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/waft-ota/waft/internal/assets/bsdiff"
)

// maxBundle bounds the bundle that a device makes of a patch, in bytes.
const maxBundle = 64 << 20

// bundles are the launch assets that devices of the fleet downloaded, in memory, so
// that others which run them can apply patches. Only a fleet that takes patches
// keeps any.
type bundles struct{ byKey sync.Map }

func (b *bundles) keep(key string, content []byte) { b.byKey.LoadOrStore(key, content) }

// of is the bundle of the update, nil when the fleet does not hold it: that of the
// update inside the app never came over the network.
func (b *bundles) of(u *stored) []byte {
	if u.manifest == nil {
		return nil
	}
	content, _ := b.byKey.Load(u.manifest.Launch.Key)
	bundle, _ := content.([]byte)
	return bundle
}

// downloadLaunch downloads a launch asset as the stock client does while an update
// runs: it asks for a patch, takes what comes, and when that is of no use asks once
// more for the whole file. It answers the size of the asset and how many bytes came.
func (f *Fleet) downloadLaunch(req *http.Request, running *stored, a Asset) (size, received int64, err error) {
	asking := req.Clone(req.Context())
	asking.Header.Set("a-im", "bsdiff")
	content, received, err := f.receiveLaunch(asking, running, a)
	if err != nil && req.Context().Err() == nil {
		f.fail(req.Context(), "patch", err)
		var again int64
		content, again, err = f.receiveLaunch(req, running, a)
		received += again
	}
	if err != nil {
		return 0, received, err
	}
	f.bundles.keep(a.Key, content)
	return int64(len(content)), received, nil
}

func (f *Fleet) receiveLaunch(req *http.Request, running *stored, a Asset) (content []byte, received int64, err error) {
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
	body, err := io.ReadAll(res.Body)
	received = int64(len(body))
	if err != nil {
		return nil, received, err
	}
	if !isPatch {
		return body, received, checkContent(bytes.NewReader(body), a)
	}
	if got := res.Header.Get("expo-base-update-id"); got != running.id() {
		return nil, received, &contentError{fmt.Sprintf("the patch is for %q, and %s runs", got, running.id())}
	}
	base := f.bundles.of(running)
	if base == nil {
		return nil, received, &contentError{"there is no bundle to apply the patch to"}
	}
	if content, err = bsdiff.Apply(req.Context(), base, body, maxBundle); err != nil {
		return nil, received, err
	}
	sum := sha256.Sum256(content)
	if got := base64.RawURLEncoding.EncodeToString(sum[:]); got != a.Hash {
		return nil, received, &contentError{fmt.Sprintf("the patch makes a file with the SHA-256 %s, the manifest says %s", got, a.Hash)}
	}
	f.counters.patches.Add(1)
	f.counters.patchBytes.Add(received)
	return content, received, nil
}
