package fleet

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Manifest is an update as a device reads it.
type Manifest struct {
	// ID is the update's lower-case UUID.
	ID             string
	CommitTime     time.Time
	RuntimeVersion string
	Metadata       map[string]string
	Launch         Asset
	Assets         []Asset
	// Critical and Message are Waft's fields in extra.waft.
	Critical bool
	Message  string
}

// Asset is a file of an update.
type Asset struct {
	// Key is the MD5 of the content in hex. A device downloads each key only once.
	Key string `json:"key"`
	// Hash is the SHA-256 of the content in base64url without padding.
	Hash          string `json:"hash"`
	URL           string `json:"url"`
	ContentType   string `json:"contentType"`
	FileExtension string `json:"fileExtension"`
}

var (
	md5Hex = regexp.MustCompile(`^[0-9a-f]{32}$`)
	// Android reads a time without milliseconds as the current time, and reads a time with microseconds wrongly.
	commitTimeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
)

func parseCommitTime(s string) (time.Time, error) {
	if !commitTimeForm.MatchString(s) {
		return time.Time{}, fmt.Errorf("%q is not of the form YYYY-MM-DDTHH:MM:SS.mmmZ", s)
	}
	return time.Parse(time.RFC3339, s)
}

// ParseManifest reads a manifest and checks every rule that the client of either platform relies on.
func ParseManifest(body []byte) (*Manifest, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if _, legacy := fields["releaseId"]; legacy {
		return nil, errors.New("manifest: a top-level releaseId makes it a legacy manifest on Android")
	}
	m := &Manifest{}
	var created string
	var extra struct {
		Waft struct {
			IsCritical     bool   `json:"isCritical"`
			ReleaseMessage string `json:"releaseMessage"`
		} `json:"waft"`
	}
	for _, f := range []struct {
		name string
		into any
	}{
		{"id", &m.ID}, {"createdAt", &created}, {"runtimeVersion", &m.RuntimeVersion}, {"extra", &extra},
	} {
		if err := requiredField(fields, f.name, f.into); err != nil {
			return nil, err
		}
	}
	if id, err := uuid.Parse(m.ID); err != nil || id.String() != m.ID {
		return nil, fmt.Errorf("manifest: id %q is not a lower-case UUID", m.ID)
	}
	var err error
	if m.CommitTime, err = parseCommitTime(created); err != nil {
		return nil, fmt.Errorf("manifest: createdAt %w", err)
	}
	if m.Metadata, err = parseMetadata(fields); err != nil {
		return nil, err
	}
	if m.Launch, m.Assets, err = parseAssets(fields); err != nil {
		return nil, err
	}
	m.Critical, m.Message = extra.Waft.IsCritical, extra.Waft.ReleaseMessage
	return m, nil
}

func requiredField(fields map[string]json.RawMessage, name string, into any) error {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return fmt.Errorf("manifest: %s is missing or null", name)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("manifest: %s: %w", name, err)
	}
	return nil
}

// parseMetadata returns the string values. Filters do not apply to other values, such as metadata.isCritical.
func parseMetadata(fields map[string]json.RawMessage) (map[string]string, error) {
	var raw map[string]any
	if err := requiredField(fields, "metadata", &raw); err != nil {
		return nil, err
	}
	metadata := make(map[string]string, len(raw))
	seen := make(map[string]bool, len(raw))
	for key, value := range raw {
		lower := strings.ToLower(key)
		if seen[lower] {
			return nil, fmt.Errorf("manifest: metadata has %q twice when case is ignored", key)
		}
		seen[lower] = true
		switch v := value.(type) {
		case string:
			metadata[key] = v
		case nil:
			return nil, fmt.Errorf("manifest: metadata.%s is null", key)
		}
	}
	return metadata, nil
}

func parseAssets(fields map[string]json.RawMessage) (launch Asset, assets []Asset, err error) {
	if err := requiredField(fields, "launchAsset", &launch); err != nil {
		return Asset{}, nil, err
	}
	if err := launch.check(true); err != nil {
		return Asset{}, nil, fmt.Errorf("manifest: launchAsset: %w", err)
	}
	if err := requiredField(fields, "assets", &assets); err != nil {
		return Asset{}, nil, err
	}
	for i, a := range assets {
		if err := a.check(false); err != nil {
			return Asset{}, nil, fmt.Errorf("manifest: assets[%d]: %w", i, err)
		}
	}
	return launch, assets, nil
}

func (a Asset) check(launch bool) error {
	if !md5Hex.MatchString(a.Key) {
		return fmt.Errorf("key %q is not an MD5 in lower-case hex", a.Key)
	}
	if sum, err := base64.RawURLEncoding.DecodeString(a.Hash); err != nil || len(sum) != 32 {
		return fmt.Errorf("hash %q is not a SHA-256 in base64url without padding", a.Hash)
	}
	if u, err := url.Parse(a.URL); err != nil || !u.IsAbs() || u.Host == "" {
		return fmt.Errorf("url %q is not absolute", a.URL)
	}
	if !launch && !strings.HasPrefix(a.FileExtension, ".") {
		return fmt.Errorf("fileExtension %q does not begin with a dot, which ends an iOS app", a.FileExtension)
	}
	if a.ContentType == "" {
		return errors.New("contentType is missing")
	}
	return nil
}
