package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// project is a project with a build to publish and a release to change.
type project struct {
	w              *waft
	slug           string
	header         map[string]string
	platform       string // of builds
	sourceMap      []byte // of the builds that are uploaded next
	build, release int64
}

// newProject makes an empty project.
func (w *waft) newProject(ctx context.Context, slug string) (*project, error) {
	p := &project{w: w, slug: slug, platform: "ios", header: map[string]string{"Authorization": "Bearer " + w.rootKey, "X-Project": slug}}
	_, err := send(ctx, http.MethodPost, w.url+"/v1/ota/projects", "application/json", fmt.Sprintf(`{"name": %q, "slug": %q}`, slug, slug),
		map[string]string{"Authorization": "Bearer " + w.rootKey}, http.StatusCreated)
	return p, err
}

// project makes a project with an editor's key, a build of one file and a release of it.
func (w *waft) project(ctx context.Context, slug string) (*project, error) {
	p, err := w.newProject(ctx, slug)
	if err != nil {
		return nil, err
	}
	var key struct{ Key string }
	if err := p.create(ctx, "/v1/ota/api-keys", "application/json", `{"name": "bench", "role": "editor"}`, &key); err != nil {
		return nil, err
	}
	p.header["Authorization"] = "Bearer " + key.Key
	if _, err := p.upload(ctx, "", []byte(slug), nil); err != nil {
		return nil, err
	}
	var made struct{ ID int64 }
	err = p.create(ctx, p.publishPath(), "application/json", `{"channel": "staging"}`, &made)
	p.release = made.ID
	return p, err
}

// upload makes a build of a launch asset and other files, and returns its size in bytes.
func (p *project) upload(ctx context.Context, clientConfig string, launch []byte, files map[string][]byte) (int64, error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	errs := []error{form.WriteField("platform", p.platform), form.WriteField("runtimeVersion", "1.0.0")}
	if clientConfig != "" {
		errs = append(errs, form.WriteField("clientConfig", clientConfig))
	}
	add := func(part, name string, content []byte) {
		file, err := form.CreateFormFile(part, name)
		if err == nil {
			_, err = file.Write(content)
		}
		errs = append(errs, err)
	}
	add("bundle", "index.bundle", launch)
	for name, content := range files {
		add("assets", name, content)
	}
	if p.sourceMap != nil {
		add("sourcemap", "index.bundle.map", p.sourceMap)
	}
	if err := errors.Join(append(errs, form.Close())...); err != nil {
		return 0, err
	}
	var build struct{ ID, SizeBytes int64 }
	err := p.create(ctx, "/v1/ota/builds", form.FormDataContentType(), b.String(), &build)
	p.build = build.ID
	return build.SizeBytes, err
}

func (p *project) create(ctx context.Context, path, contentType, body string, out any) error {
	answer, err := send(ctx, http.MethodPost, p.w.url+path, contentType, body, p.header, http.StatusCreated)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// get reads a resource.
func (p *project) get(ctx context.Context, path string, out any) error {
	answer, err := send(ctx, http.MethodGet, p.w.url+path, "", "", p.header, http.StatusOK)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// send makes a request with a JSON body.
func (p *project) send(ctx context.Context, method, path, body string, status int) error {
	_, err := send(ctx, method, p.w.url+path, "application/json", body, p.header, status)
	return err
}

func (p *project) publishPath() string { return fmt.Sprintf("/v1/ota/builds/%d/publish", p.build) }

func (p *project) publish(ctx context.Context) error {
	return p.send(ctx, http.MethodPost, p.publishPath(), `{"channel": "production", "releaseMessage": "a message of some words"}`,
		http.StatusCreated)
}

// patch changes something each time, since a request without a change costs less.
func (p *project) patch(ctx context.Context, n int) error {
	return p.send(ctx, http.MethodPatch, fmt.Sprintf("/v1/ota/updates/%d", p.release),
		fmt.Sprintf(`{"releaseMessage": "message %d of %s"}`, n, uuid.NewString()), http.StatusOK)
}

// override sends the devices of another user to the branch staging.
func (p *project) override(ctx context.Context) error {
	return p.send(ctx, http.MethodPost, "/v1/ota/user-overrides", fmt.Sprintf(`{"userId": %q, "branchName": "staging"}`, uuid.NewString()),
		http.StatusCreated)
}

// report sends a health report of a device on production, with the events as JSON.
func (p *project) report(ctx context.Context, device, update, events string) error {
	_, err := send(ctx, http.MethodPost, p.w.url+"/v1/ota/health-metrics", "application/json", fmt.Sprintf(
		`{"projectSlug": %q, "deviceId": %q, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": %q, "events": [%s]}`,
		p.slug, device, update, events), nil, http.StatusNoContent)
	return err
}

// update returns the ID of the update that a device is served, or "".
func (w *waft) update(ctx context.Context, slug string, header map[string]string) (string, error) {
	body, err := send(ctx, http.MethodGet, w.url+manifestPath(slug), "", "", header, http.StatusOK)
	_, rest, ok := bytes.Cut(body, []byte(`{"id":"`))
	if err != nil || !ok {
		return "", err
	}
	return string(rest[:36]), nil
}

// awaitUpdate returns when a device, which sends requests at the given interval, is served the right update.
func (w *waft) awaitUpdate(
	ctx context.Context, every time.Duration, slug string, header map[string]string, right func(id string) bool,
) (time.Time, error) {
	var at time.Time
	err := until(ctx, every, func() (bool, error) {
		id, err := w.update(ctx, slug, header)
		at = time.Now()
		return right(id), err
	})
	return at, err
}

func manifestPath(slug string) string { return "/v1/ota/manifest/" + slug }

// with returns the header with one more field.
func with(header map[string]string, name, value string) map[string]string {
	header = maps.Clone(header)
	header[name] = value
	return header
}

// uniqueSlug returns a slug that an earlier run did not use. IDs of workflows contain slugs, and
// the benchmark's databases restart their sequences.
func uniqueSlug(name string) string { return name + "-" + uuid.NewString()[:8] }
