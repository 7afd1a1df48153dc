package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// maxOverhead is the maximum of bytes that an upload sends in addition to the missing files: names, documents and headers.
const maxOverhead = 64 << 10

// uploadKind is a way to upload an export.
type uploadKind struct {
	name   string
	upload func(ctx context.Context, launch []byte) error
	// first is the time to upload an export without any file that the project has already.
	first        time.Duration
	firstBytes   int64
	changed      samples
	changedBytes int64
}

// runUploads uploads an export of 34 files, and again and again with another launch asset: the whole of it in one request, and
// only what is missing. Both go through the same counter of bytes, in turn.
func runUploads(ctx context.Context, s *session) error {
	launch, err := exported("stable", "ios")
	if err != nil {
		return err
	}
	server, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	tap, err := s.newTap(ctx, server.url)
	if err != nil {
		return err
	}
	through := *server
	through.url = tap.url
	kinds, err := s.uploadKinds(ctx, &through)
	if err != nil {
		return err
	}
	loadBefore := load()
	for round := range s.rounds + 1 {
		copy(launch[len(launch)/2:], fmt.Sprintf("version %d", round))
		for i := range kinds {
			k := kinds[(round+i)%len(kinds)]
			tap.sent.Store(0)
			begun := time.Now()
			if err := k.upload(ctx, launch); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			took, sent := time.Since(begun), tap.sent.Load()
			if round == 0 {
				k.first, k.firstBytes = took, sent
				continue
			}
			k.changed.add([]time.Duration{took}, took)
			k.changedBytes += sent / int64(s.rounds)
		}
	}
	return reportUploads(kinds, len(launch), s.rounds, loadBefore)
}

func reportUploads(kinds []*uploadKind, launch, rounds int, loadBefore string) error {
	fmt.Printf("%d files; a file of %.2f MB changes before each of %d uploads; %s\n\n",
		filesOfBuild, float64(launch)/1e6, rounds, machine(loadBefore))
	t := newMarkdown("\tMB sent\tof the whole\tmedian ms\tp99 ms\tof the whole\tfirst upload: MB\tms")
	whole := kinds[0]
	for _, k := range kinds {
		t.row("%s\t%.2f\t%.1f %%\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f", k.name, float64(k.changedBytes)/1e6,
			100*float64(k.changedBytes)/float64(whole.changedBytes), k.changed.ms(.5), k.changed.ms(.99),
			k.changed.ms(.5)/whole.changed.ms(.5), float64(k.firstBytes)/1e6, ms(k.first))
	}
	if err := t.print(); err != nil {
		return err
	}
	for _, k := range kinds[1:] {
		if k.changedBytes > int64(launch)+maxOverhead {
			return fmt.Errorf("%s: an upload sent %d bytes for one changed file of %d", k.name, k.changedBytes, launch)
		}
	}
	return nil
}

// uploadKinds begins with the whole upload, which the others are compared with. Each has a project of its own.
func (s *session) uploadKinds(ctx context.Context, w *waft) ([]*uploadKind, error) {
	p, err := w.newProject(ctx, "whole")
	if err != nil {
		return nil, err
	}
	files := unchanged()
	whole := &uploadKind{name: "all files, in one multipart request", upload: func(ctx context.Context, launch []byte) error {
		_, err := p.upload(ctx, "", launch, files)
		return err
	}}
	if _, err := w.newProject(ctx, "missing"); err != nil {
		return nil, err
	}
	api, err := client.New(w.url, client.Credentials{Key: w.rootKey, Project: "missing"})
	if err != nil {
		return nil, err
	}
	dir, err := s.folder()
	if err != nil {
		return nil, err
	}
	for name, content := range files {
		if err := writeUnder(dir, name, content); err != nil {
			return nil, err
		}
	}
	missing := &uploadKind{name: "check, then the missing files", upload: func(ctx context.Context, launch []byte) error {
		if err := writeUnder(dir, "index.hbc", launch); err != nil {
			return err
		}
		export, err := client.OpenExport(dir, models.IOS)
		if err != nil {
			return err
		}
		_, err = api.UploadExport(ctx, export, client.Upload{RuntimeVersion: "1.0.0"})
		return err
	}}
	return []*uploadKind{whole, missing}, nil
}

func writeUnder(dir, name string, content []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}
