package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/app"
)

// The published builds.
const (
	publishes     = 20
	picturesBytes = 24 << 10
	textsOfBuild  = 5
)

// runStorage measures the space that publishes take in the asset bucket.
func runStorage(ctx context.Context, s *session) error {
	launch, err := exported("stable", "ios")
	if err != nil {
		return err
	}
	server, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	p, err := server.project(ctx, "storage")
	if err != nil {
		return err
	}
	before, loadBefore := map[string]stored{}, load()
	if err := count(server.dir, before); err != nil {
		return err
	}
	var sent int64
	var uploads samples
	files := unchanged()
	for n := range s.size(publishes) {
		// A few bytes in its middle change.
		copy(launch[len(launch)/2:], fmt.Sprintf("version %d", n))
		begun := time.Now()
		size, err := p.upload(ctx, "", launch, files)
		if err != nil {
			return err
		}
		uploads.add([]time.Duration{time.Since(begun)}, 0)
		sent += size
		if err := p.publish(ctx); err != nil {
			return err
		}
	}
	after := map[string]stored{}
	if err := count(server.dir, after); err != nil {
		return err
	}
	fmt.Printf("%d publishes of %d files, one of them, of %.2f MB, changed each time; an upload took %.0f ms in the median; %s\n\n",
		s.size(publishes), filesOfBuild, float64(len(launch))/1e6, uploads.ms(.5), machine(loadBefore))
	t := newTable("\tfiles\tMB\tof what was sent")
	row := func(name string, files int, size int64) {
		t.row("%s\t%d\t%.2f\t%.1f %%", name, files, float64(size)/1e6, 100*float64(size)/float64(sent))
	}
	row("sent", s.size(publishes)*filesOfBuild, sent)
	var all stored
	for _, as := range []struct{ suffix, name string }{{"", "stored as they are"}, {".br", "stored in Brotli"}, {".gz", "stored in gzip"}} {
		kept := stored{after[as.suffix].files - before[as.suffix].files, after[as.suffix].bytes - before[as.suffix].bytes}
		all = stored{all.files + kept.files, all.bytes + kept.bytes}
		row(as.name, kept.files, kept.bytes)
	}
	row("stored", all.files, all.bytes)
	return t.print()
}

// unchanged returns the other files of every build: pictures, which do not compress, and
// some text files.
func unchanged() map[string][]byte {
	files := map[string][]byte{}
	for i := range filesOfBuild - 1 {
		content := noise(byte(i), picturesBytes)
		name := fmt.Sprintf("assets/picture-%d.png", i)
		if i < textsOfBuild {
			name = fmt.Sprintf("assets/text-%d.json", i)
			content = fmt.Appendf(nil, `{"words": ["%s"]}`, strings.Repeat(fmt.Sprintf("%x ", content[:16]), picturesBytes/36))
		}
		files[name] = content
	}
	return files
}

// stored counts objects.
type stored struct {
	files int
	bytes int64
}

// count counts the objects of a bucket by the end of their names.
func count(dir string, found map[string]stored) error {
	return filepath.WalkDir(filepath.Join(dir, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			so := found[filepath.Ext(path)]
			found[filepath.Ext(path)] = stored{so.files + 1, so.bytes + info.Size()}
		}
		return err
	})
}
