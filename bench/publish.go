package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// The maximum of the median time of a publish on loopback.
const publishGoal = 60 * time.Millisecond

// commandWaft is the command that `make build` makes.
const commandWaft = "bin/waft"

// publishKind is a way to publish an export. published returns when the server has made the release.
type publishKind struct {
	name    string
	publish func(ctx context.Context) error
	// change makes a publish send one file.
	change bool
	took   samples
}

// runPublish publishes an export of 34 files again and again. Before each publish one file of it changes, or none does. The process of
// the command `waft publish` takes turns with the client alone and with a bare upload and publish in two requests.
func runPublish(ctx context.Context, s *session) error {
	launch, err := exported("stable", "ios")
	if err != nil {
		return err
	}
	server, err := s.startWaftProcess(ctx, nil)
	if err != nil {
		return err
	}
	kinds, write, err := s.publishKinds(ctx, server, launch)
	if err != nil {
		return err
	}
	loadBefore := load()
	for round := range s.rounds + 1 {
		for i := range kinds {
			k := kinds[(round+i)%len(kinds)]
			if k.change || round == 0 {
				copy(launch[len(launch)/2:], fmt.Sprintf("version %d of %s", round, k.name))
				if err := write(launch); err != nil {
					return err
				}
			}
			begun := time.Now()
			if err := k.publish(ctx); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if took := time.Since(begun); round > 0 {
				k.took.add([]time.Duration{took}, took)
			}
		}
	}
	fmt.Printf("%d publishes of each kind; a build has %d files, and its bundle of %.2f MB is the changed file; %s\n\n",
		s.rounds, filesOfBuild, float64(len(launch))/1e6, machine(loadBefore))
	t := newMarkdown("\tmedian ms\tp99 ms\tof the bare requests")
	for _, k := range kinds {
		t.row("%s\t%.0f\t%.0f\t%.2f", k.name, k.took.ms(.5), k.took.ms(.99), k.took.ms(.5)/kinds[0].took.ms(.5))
	}
	if err := t.print(); err != nil {
		return err
	}
	if took := kinds[1].took.ms(.5); took > ms(publishGoal) {
		return s.tooSlow("%s took %.0f ms, more than %.0f", kinds[1].name, took, ms(publishGoal))
	}
	return nil
}

// exportFolder returns a new folder for an export. It is in a git repository with one commit, as in an app, so that the command reads the
// commit and the state of the files.
func (s *session) exportFolder(ctx context.Context) (string, error) {
	app, err := s.folder()
	if err != nil {
		return "", err
	}
	if err := writeUnder(app, "package.json", []byte("{}")); err != nil {
		return "", err
	}
	if err := writeUnder(app, ".gitignore", []byte("dist/\n")); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "An app"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = app
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
	}
	return filepath.Join(app, "dist"), nil
}

// publishKinds begins with bare requests, which the others are compared with. write writes the launch asset of the export.
func (s *session) publishKinds(ctx context.Context, w *waft, launch []byte) (kinds []*publishKind, write func([]byte) error, err error) {
	bare, err := w.project(ctx, "bare")
	if err != nil {
		return nil, nil, err
	}
	if _, err := w.project(ctx, "app"); err != nil { // with the channel staging
		return nil, nil, err
	}
	api, err := client.New(w.url, client.Credentials{Key: w.rootKey, Project: "app"})
	if err != nil {
		return nil, nil, err
	}
	dir, err := s.exportFolder(ctx)
	if err != nil {
		return nil, nil, err
	}
	files := unchanged()
	for name, content := range files {
		if err := writeUnder(dir, name, content); err != nil {
			return nil, nil, err
		}
	}
	if err := writeUnder(dir, "expoConfig.json", []byte(`{"runtimeVersion": "1.0.0"}`)); err != nil {
		return nil, nil, err
	}
	if err := writeUnder(dir, "index.hbc.map", []byte(`{"version": 3, "sources": [], "names": [], "mappings": ""}`)); err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(commandWaft); err != nil {
		return nil, nil, fmt.Errorf("no command: run `make build`, and the benchmark in the repository's folder: %w", err)
	}
	command := func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, commandWaft, "publish", dir, "--channel", "staging", "--platform", "ios", "--url", w.url)
		cmd.Env = append(os.Environ(), "WAFT_API_KEY="+w.rootKey, "WAFT_PROJECT=app", "XDG_CACHE_HOME="+w.dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	library := func(ctx context.Context) error {
		updates, err := api.Publish(ctx, client.Publication{
			Dir: dir, Platforms: []models.Platform{models.IOS}, Channel: "staging", Upload: client.Upload{RuntimeVersion: "1.0.0"},
		})
		if err == nil && len(updates) != 1 {
			err = errors.New("no release was made")
		}
		return err
	}
	kinds = []*publishKind{
		{name: "bare: all files in one request, then the publish", change: true, publish: func(ctx context.Context) error {
			if _, err := bare.upload(ctx, "", launch, files); err != nil {
				return err
			}
			return bare.publish(ctx)
		}},
		{name: "`waft publish`, one file changed", change: true, publish: command},
		{name: "`waft publish`, nothing changed", publish: command},
		{name: "the client, one file changed", change: true, publish: library},
		{name: "the client, nothing changed", publish: library},
	}
	return kinds, func(launch []byte) error { return writeUnder(dir, "index.hbc", launch) }, nil
}
