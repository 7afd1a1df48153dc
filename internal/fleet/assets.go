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
)

// fetchAsset gets one asset onto a device, or does what the policy says in place
// of that. One failed asset fails the whole update, as on a real device.
func (f *Fleet) fetchAsset(ctx context.Context, d *device, running *stored, m *Manifest, a Asset) error {
	full, size, err := f.shelf.claim(ctx, a, f.options.Assets)
	if err != nil {
		return err
	}
	if !full && f.options.Assets.Rest == AssetSkip {
		f.counters.skips.Add(1)
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
	began := f.options.Now()
	if !full {
		err = f.headAsset(req, a, size)
		f.counters.checks.Add(1)
	} else {
		var received int64
		if f.options.Patches && a == m.Launch {
			size, received, err = f.downloadLaunch(req, running, a)
		} else {
			size, err = f.downloadAsset(req, a)
			received = size
		}
		f.shelf.settle(a, size, err)
		if err == nil {
			f.counters.downloads.Add(1)
			f.counters.bytes.Add(received)
		}
	}
	f.counters.asset.add(f.options.Now().Sub(began))
	if err != nil {
		return fmt.Errorf("asset %s: %w", a.Key, err)
	}
	return nil
}

// downloadAsset reads the whole content and answers its size in bytes.
func (f *Fleet) downloadAsset(req *http.Request, a Asset) (int64, error) {
	res, err := f.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if err := checkAssetHeaders(res, a); err != nil {
		return 0, err
	}
	counted := &countingReader{from: res.Body}
	err = checkContent(counted, a)
	return counted.size, err
}

// checkContent reads a whole asset and compares its sums.
func checkContent(content io.Reader, a Asset) error {
	sha, md := sha256.New(), md5.New()
	if _, err := io.Copy(io.MultiWriter(sha, md), content); err != nil {
		return err
	}
	if got := base64.RawURLEncoding.EncodeToString(sha.Sum(nil)); got != a.Hash {
		return &contentError{fmt.Sprintf("SHA-256 is %s, the manifest says %s", got, a.Hash)}
	}
	if got := hex.EncodeToString(md.Sum(nil)); got != a.Key {
		return &contentError{fmt.Sprintf("MD5 is %s, not the key", got)}
	}
	return nil
}

// countingReader counts what was read from it.
type countingReader struct {
	from io.Reader
	size int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.size += int64(n)
	return n, err
}

func (f *Fleet) headAsset(req *http.Request, a Asset, size int64) error {
	res, err := f.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := checkAssetHeaders(res, a); err != nil {
		return err
	}
	if said := res.Header.Get("content-length"); said != "" && said != strconv.FormatInt(size, 10) {
		return &contentError{fmt.Sprintf("content-length is %s, the content has %d bytes", said, size)}
	}
	return nil
}

func checkAssetHeaders(res *http.Response, a Asset) error {
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 512)) // only for the message
		return &statusError{status: res.StatusCode, body: body}
	}
	if got := res.Header.Get("content-type"); got != a.ContentType {
		return &contentError{fmt.Sprintf("content-type is %q, the manifest says %q", got, a.ContentType)}
	}
	return nil
}

// contentError is an answer that arrived but is not what it should be.
type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }
