// Package protocol asks servers of the Expo Updates protocol for manifests and assets, as an app does.
package protocol

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/waft-ota/waft/models"
)

// maxManifest is the maximum size of a response with a manifest in bytes.
const maxManifest = 16 << 20

// Question is a request for a manifest.
type Question struct {
	URL            string
	Platform       models.Platform
	RuntimeVersion string
	// Headers are the request headers in the configuration of the app, such as expo-channel-name.
	Headers map[string]string
	// Signed asks for a signature by the key with the ID KeyID.
	Signed bool
	KeyID  string
}

// Manifest describes a release.
type Manifest struct {
	ID             string          `json:"id"`
	CreatedAt      string          `json:"createdAt"`
	RuntimeVersion string          `json:"runtimeVersion"`
	LaunchAsset    Asset           `json:"launchAsset"`
	Assets         []Asset         `json:"assets"`
	Metadata       map[string]any  `json:"metadata"`
	Extra          json.RawMessage `json:"extra"`
}

// Asset is a file of a release. Hash is the SHA-256 in base64url without padding, "" if the server does not send it.
type Asset struct {
	Key           string `json:"key"`
	Hash          string `json:"hash"`
	ContentType   string `json:"contentType"`
	FileExtension string `json:"fileExtension"`
	URL           string `json:"url"`
}

// Reply is the response to a Question: a manifest, or a directive such as noUpdateAvailable.
type Reply struct {
	Header    http.Header
	Manifest  *Manifest
	Directive string
	// AssetHeaders are the headers that the server requires for the assets, by key.
	AssetHeaders map[string]map[string]string

	asked     Question
	signed    []byte // the bytes below the signature
	signature string
	chain     []byte
}

// RefusedError is the error for a response with a status other than success.
type RefusedError struct {
	Status int
	Text   string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the server responded with status %d to a manifest request: %s", e.Status, cmp.Or(e.Text, http.StatusText(e.Status)))
}

// Ask sends a manifest request.
func Ask(ctx context.Context, hc *http.Client, q Question) (*Reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.URL, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Accept": "multipart/mixed,application/expo+json,application/json", "Expo-Protocol-Version": "1", "Expo-API-Version": "1",
		"Expo-Platform": string(q.Platform), "Expo-Runtime-Version": q.RuntimeVersion, "Expo-JSON-Error": "true",
		"Expo-Updates-Environment": "BARE",
	} {
		req.Header.Set(name, value)
	}
	for name, value := range q.Headers {
		req.Header.Set(name, value)
	}
	if q.Signed {
		keyID := cmp.Or(q.KeyID, models.DefaultSigningKeyID)
		req.Header.Set("Expo-Expect-Signature", fmt.Sprintf("sig, keyid=%q, alg=\"rsa-v1_5-sha256\"", keyID))
	}
	res, err := hc.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxManifest))
	if err != nil {
		return nil, err
	}
	q.Headers = maps.Clone(q.Headers)
	r := &Reply{Header: res.Header, asked: q}
	switch {
	case res.StatusCode == http.StatusNoContent:
		r.Directive = "noUpdateAvailable"
		return r, nil
	case res.StatusCode != http.StatusOK:
		return nil, &RefusedError{res.StatusCode, refusalText(body)}
	}
	return r, r.read(body)
}

// refusalText returns the detail of a problem of Waft, or the beginning of another body.
func refusalText(body []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	if err := json.Unmarshal(body, &problem); err == nil && problem.Detail != "" {
		return problem.Detail
	}
	return string(body[:min(len(body), 300)])
}

// read reads a body with one or several parts.
func (r *Reply) read(body []byte) error {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("the response has no media type: %w", err)
	}
	if media != "multipart/mixed" {
		return r.readManifest(body, r.Header.Get("Expo-Signature"))
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("the response is not multipart: %w", err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if err := r.readPart(part, text); err != nil {
			return err
		}
	}
	if r.Manifest == nil && r.Directive == "" {
		return errors.New("the response has no manifest and no directive")
	}
	return nil
}

func (r *Reply) readPart(part *multipart.Part, text []byte) error {
	// The disposition is inline, not form-data. A part without a name is ignored, as the client does.
	if _, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil {
		return r.readNamed(params["name"], text, part.Header.Get("Expo-Signature"))
	}
	return nil
}

func (r *Reply) readNamed(name string, text []byte, signature string) error {
	switch name {
	case "manifest":
		return r.readManifest(text, signature)
	case "directive":
		var directive struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(text, &directive); err != nil {
			return fmt.Errorf("the directive is not JSON: %w", err)
		}
		r.Directive, r.signed, r.signature = directive.Type, text, signature
	case "extensions":
		var extensions struct {
			AssetRequestHeaders map[string]map[string]string `json:"assetRequestHeaders"`
		}
		if err := json.Unmarshal(text, &extensions); err == nil {
			r.AssetHeaders = extensions.AssetRequestHeaders
		}
	case "certificate_chain":
		r.chain = text
	}
	return nil
}

func (r *Reply) readManifest(text []byte, signature string) error {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("the manifest is not JSON: %w", err)
	}
	if m.ID == "" || m.LaunchAsset.URL == "" {
		return errors.New("the manifest has no ID or no launch asset")
	}
	r.Manifest, r.signed, r.signature = &m, text, signature
	return nil
}
