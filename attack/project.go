package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// project is a project that the suite created.
type project struct {
	*target
	slug, key string
}

const runtimeVersion = "1.0.0"

// slugs collects the slugs of the projects that the suite created.
type slugs struct {
	mu   sync.Mutex
	made []string
}

func (s *slugs) add(slug string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = append(s.made, slug)
}

func (s *slugs) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.made)
}

// project creates a project with an admin key.
func (t *target) project(ctx context.Context) (*project, error) {
	p := &project{target: t, slug: "attack-" + uuid.NewString()[:13]}
	made := object{"name": p.slug, "slug": p.slug}
	if err := t.record(ctx, request{path: "/v1/ota/projects", key: t.rootKey, body: made}, nil); err != nil {
		return nil, fmt.Errorf("creating a project: %w", err)
	}
	t.projects.add(p.slug)
	var key struct{ Key string }
	body := object{"name": "attack", "role": "admin"}
	err := t.record(ctx, request{path: "/v1/ota/api-keys", key: t.rootKey, project: p.slug, body: body}, &key)
	p.key = key.Key
	return p, err
}

// projectWithRelease creates a project whose devices get a release.
func (t *target) projectWithRelease(ctx context.Context) (*project, release, error) {
	p, err := t.project(ctx)
	if err != nil {
		return nil, release{}, err
	}
	r, err := p.publish(ctx, []byte("bundle of "+p.slug), nil)
	if err == nil {
		err = p.awaitServed(ctx, r)
	}
	return p, r, err
}

// deleteProjects deletes the projects that the suite created.
func (t *target) deleteProjects(ctx context.Context) (err error) {
	for _, slug := range t.projects.all() {
		err = errors.Join(err, t.record(ctx, request{method: http.MethodDelete, path: "/v1/ota/projects/" + slug, key: t.rootKey}, nil))
	}
	return err
}

// call sends a management request for the project, and reads the response into into.
func (p *project) call(ctx context.Context, r request, into any) error {
	r.key, r.project = p.key, p.slug
	return p.record(ctx, r, into)
}

// release is a published release.
type release struct {
	ID         int64  `json:"id"`
	UpdateUUID string `json:"updateUuid"`
	Execution  int64  `json:"rolloutExecutionId"`
}

// errWaits is returned when a call waits for approval.
var errWaits = errors.New("the call waits for approval")

// publish publishes a build with one file to production. The fields in more are added to the request.
func (p *project) publish(ctx context.Context, bundle []byte, more object) (release, error) {
	return p.publishAs(ctx, p.key, string(bundle), more)
}

// publishAs works like publish, but publishes with the given key. It returns errWaits if the call needs approval.
func (p *project) publishAs(ctx context.Context, key, bundle string, more object) (r release, err error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	err = errors.Join(w.WriteField("platform", "ios"), w.WriteField("runtimeVersion", runtimeVersion))
	part, partErr := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="assets"; filename="index.hbc"`}})
	if err = errors.Join(err, partErr); err != nil {
		return r, err
	}
	_, err = io.WriteString(part, bundle)
	if err = errors.Join(err, w.Close()); err != nil {
		return r, err
	}
	var build struct{ ID int64 }
	upload := request{path: "/v1/ota/builds", body: form.Bytes(), header: map[string]string{"Content-Type": w.FormDataContentType()}}
	if err := p.call(ctx, upload, &build); err != nil {
		return r, err
	}
	body := object{"channel": "production"}
	maps.Copy(body, more)
	a, err := p.send(ctx, request{path: fmt.Sprintf("/v1/ota/builds/%d/publish", build.ID), key: key, project: p.slug, body: body})
	switch {
	case err != nil:
		return r, err
	case a.status == http.StatusAccepted:
		return r, errWaits
	}
	return r, into(a, &r)
}

// manifest sends a device's manifest request.
func (p *project) manifest(ctx context.Context, device, from string) (answer, error) {
	return p.send(ctx, request{path: "/v1/ota/manifest/" + p.slug + "?channel=production", from: from, header: map[string]string{
		"Expo-Platform": "ios", "Expo-Runtime-Version": runtimeVersion, "Eas-Client-Id": device, "Accept": "application/expo+json",
	}})
}

// awaitServed waits until devices get the release.
func (p *project) awaitServed(ctx context.Context, r release) error {
	return eventually(ctx, "the release is not served", func() (bool, error) {
		a, err := p.manifest(ctx, "", "")
		return strings.Contains(string(a.body), r.UpdateUUID), err
	})
}

// report sends a device's health report, and returns the status of the response.
func (p *project) report(ctx context.Context, r release, device, from string, events ...object) (int, error) {
	a, err := p.send(ctx, request{path: "/v1/ota/health-metrics", from: from, body: object{
		"projectSlug": p.slug, "deviceId": device, "platform": "ios", "runtimeVersion": runtimeVersion, "channel": "production",
		"updateUuid": r.UpdateUUID, "events": events,
	}})
	return a.status, err
}

// assetURL returns the URL of the launch asset in a manifest, or "" if the manifest is invalid.
func assetURL(manifest []byte) string {
	var m struct {
		LaunchAsset struct{ URL string }
	}
	_ = json.Unmarshal(manifest, &m)
	return m.LaunchAsset.URL
}
