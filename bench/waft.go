package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/models"
)

// waft is the whole server, as waftd runs it, on a port of its own.
type waft struct {
	url, rootKey string
	taskQueue    string
	// The server runs in this process, or in one of its own.
	app     *app.App
	process *process
	dir     string
	stop    context.CancelFunc
	ended   chan error
}

func startWaft(ctx context.Context, e *engines) (*waft, error) {
	return startRole(ctx, e, app.Role{API: true})
}

// startWaftApart is startWaft in a process of its own.
func startWaftApart(ctx context.Context, e *engines) (*waft, error) {
	return startAt(ctx, e, app.Role{API: true}, nil, true)
}

func startRole(ctx context.Context, e *engines, role app.Role) (*waft, error) {
	return startWith(ctx, e, role, nil)
}

// startWith is startRole with settings of its own besides.
func startWith(ctx context.Context, e *engines, role app.Role, own map[string]string) (*waft, error) {
	return startAt(ctx, e, role, own, false)
}

func startAt(ctx context.Context, e *engines, role app.Role, own map[string]string, apart bool) (_ *waft, err error) {
	w := &waft{rootKey: models.NewAPIKeyToken().Reveal(), taskQueue: "bench-" + uuid.NewString(), ended: make(chan error, 1)}
	if w.dir, err = os.MkdirTemp("", "waft-bench-"); err != nil {
		return nil, fmt.Errorf("a folder for assets: %w", err)
	}
	settings := map[string]string{
		"WAFT_LISTEN_ADDR": "127.0.0.1:0", "DATABASE_URL": e.databaseURL, "CLICKHOUSE_URL": e.clickHouseURL,
		"TEMPORAL_ADDRESS": e.temporal, "WAFT_TASK_QUEUE": w.taskQueue, "WAFT_ROOT_KEY": w.rootKey,
		"WAFT_SECRET_KEY":       base64.StdEncoding.EncodeToString(make([]byte, 32)),
		"WAFT_ASSET_BUCKET_URL": "file://" + w.dir, "WAFT_DATA_DIR": w.dir, "WAFT_LOG_LEVEL": "error",
		"WAFT_RATE_PER_ADDRESS": "0", "WAFT_RATE_PER_DEVICE": "0", // one machine speaks for all devices
	}
	maps.Copy(settings, own)
	cfg, err := config.FromMap(settings)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(w.dir))
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	if err := app.Migrate(ctx, cfg, log); err != nil {
		return nil, errors.Join(err, os.RemoveAll(w.dir))
	}
	if apart {
		w.process, err = startProcess(ctx, "serve-api", settings)
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(w.dir))
		}
		w.url = "http://" + w.process.addr
		return w, nil
	}
	if w.app, err = app.New(ctx, cfg, role, log); err != nil {
		return nil, errors.Join(err, os.RemoveAll(w.dir))
	}
	w.url = "http://" + w.app.Addr()
	running, stop := context.WithCancel(ctx)
	w.stop = stop
	go func() { w.ended <- w.app.Run(running) }()
	return w, nil
}

func (w *waft) close() error {
	if w.process != nil {
		return errors.Join(w.process.close(), os.RemoveAll(w.dir))
	}
	w.stop()
	return errors.Join(<-w.ended, w.app.Close(), os.RemoveAll(w.dir))
}

// subject is a project with a build to publish and a release to change.
type subject struct {
	w              *waft
	header         map[string]string
	build, release int64
}

// kinds are the requests to measure. Changes of one project wait for each other;
// so they are measured in one that all clients share, and in one for each.
func (w *waft) kinds(ctx context.Context, clients int) ([]kind, error) {
	shared, err := w.subject(ctx, "shared")
	if err != nil {
		return nil, err
	}
	own := make([]*subject, clients)
	for i := range own {
		if own[i], err = w.subject(ctx, fmt.Sprint("own-", i)); err != nil {
			return nil, err
		}
	}
	return []kind{
		{"publish, one project", func(ctx context.Context, _, _ int) error { return shared.publish(ctx) }},
		{"publish, a project each", func(ctx context.Context, client, _ int) error { return own[client].publish(ctx) }},
		{"patch, one project", func(ctx context.Context, _, n int) error { return shared.patch(ctx, n) }},
		{"patch, a project each", func(ctx context.Context, client, n int) error { return own[client].patch(ctx, n) }},
		{"list of 100", func(ctx context.Context, _, _ int) error { return shared.list(ctx) }},
	}, nil
}

func (w *waft) subject(ctx context.Context, slug string) (*subject, error) {
	root := map[string]string{"Authorization": "Bearer " + w.rootKey}
	if _, err := send(ctx, http.MethodPost, w.url+"/v1/ota/projects", "application/json", fmt.Sprintf(`{"name": %q, "slug": %q}`, slug, slug),
		root, http.StatusCreated); err != nil {
		return nil, err
	}
	s := &subject{w: w, header: map[string]string{"Authorization": "Bearer " + w.rootKey, "X-Project": slug}}
	var key struct{ Key string }
	if err := s.create(ctx, "/v1/ota/api-keys", "application/json", `{"name": "bench", "role": "editor"}`, &key); err != nil {
		return nil, err
	}
	s.header["Authorization"] = "Bearer " + key.Key
	contentType, body, err := export(slug)
	if err != nil {
		return nil, err
	}
	var made struct{ ID int64 }
	if err := s.create(ctx, "/v1/ota/builds", contentType, body, &made); err != nil {
		return nil, err
	}
	s.build = made.ID
	err = s.create(ctx, s.publishPath(), "application/json", `{"channel": "staging"}`, &made)
	s.release = made.ID
	return s, err
}

// export is a build of one file as a multipart form.
func export(content string) (contentType, body string, err error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	errs := []error{form.WriteField("platform", "ios"), form.WriteField("runtimeVersion", "1.0.0")}
	file, err := form.CreateFormFile("bundle", "index.bundle")
	if err == nil {
		_, err = file.Write([]byte(content))
	}
	errs = append(errs, err, form.Close())
	return form.FormDataContentType(), b.String(), errors.Join(errs...)
}

func (s *subject) create(ctx context.Context, path, contentType, body string, out any) error {
	answer, err := send(ctx, http.MethodPost, s.w.url+path, contentType, body, s.header, http.StatusCreated)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (s *subject) publishPath() string { return fmt.Sprintf("/v1/ota/builds/%d/publish", s.build) }

func (s *subject) publish(ctx context.Context) error {
	_, err := send(ctx, http.MethodPost, s.w.url+s.publishPath(), "application/json",
		`{"channel": "production", "releaseMessage": "a message of some words"}`, s.header, http.StatusCreated)
	return err
}

// patch changes something each time, so that nothing is saved by noticing that it
// does not.
func (s *subject) patch(ctx context.Context, n int) error {
	_, err := send(ctx, http.MethodPatch, fmt.Sprintf("%s/v1/ota/updates/%d", s.w.url, s.release), "application/json",
		fmt.Sprintf(`{"releaseMessage": "message %d of %s"}`, n, uuid.NewString()), s.header, http.StatusOK)
	return err
}

func (s *subject) list(ctx context.Context) error {
	_, err := send(ctx, http.MethodGet, s.w.url+"/v1/ota/updates?limit=100", "", "", s.header, http.StatusOK)
	return err
}
