package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"mime/multipart"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// What is published.
const (
	publishes     = 20
	picturesBytes = 24 << 10
	textsOfBuild  = 5
	madeBundle    = 3 << 20
	// keptFiles are stored for the throughput, each with a content of its own.
	keptFiles = 8
)

// runStorage measures what publishes take in the asset store, and how fast files
// get into it with and without compression.
func runStorage(ctx context.Context, _ options) (err error) {
	launch, source, err := launchFile()
	if err != nil {
		return err
	}
	fmt.Printf("%s; %d CPUs, %s; load average %s\n\n", source, runtime.NumCPU(), runtime.Version(), load())
	if err := measureStored(ctx, launch); err != nil {
		return err
	}
	return measureKeeping(ctx, launch)
}

// launchFile is the bundle of a real export, when `make exports` made one, or else a
// made one, and says which.
func launchFile() (content []byte, source string, err error) {
	for _, dir := range []string{os.Getenv("WAFT_TEST_EXPORTS"), filepath.Join(".waft", "exports"), filepath.Join("..", ".waft", "exports")} {
		found, err := filepath.Glob(filepath.Join(dir, "stable", "_expo", "static", "js", "ios", "*.hbc"))
		if err != nil {
			return nil, "", err
		}
		if len(found) == 1 {
			content, err := os.ReadFile(found[0])
			return content, fmt.Sprintf("a real Hermes bundle of %s", megabytes(int64(len(content)))), err
		}
	}
	dir, err := os.MkdirTemp("", "waft-bench-")
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	made, err := bundle.Write(dir, bundle.Spec{Label: "bench", Platforms: []models.Platform{models.IOS}, BundleBytes: madeBundle})
	if err != nil {
		return nil, "", err
	}
	content, err = os.ReadFile(filepath.Join(dir, made[models.IOS]))
	return content, fmt.Sprintf("a made bundle of %s", megabytes(int64(len(content)))), err
}

// version is the launch file with a change of a few bytes in its middle.
func version(launch []byte, n int) []byte {
	changed := bytes.Clone(launch)
	copy(changed[len(changed)/2:], fmt.Sprintf("version %d", n))
	return changed
}

// unchanged are the other files of every build: pictures, which do not compress, and
// some texts.
func unchanged() map[string][]byte {
	files := map[string][]byte{}
	random := rand.NewChaCha8([32]byte{})
	for i := range filesOfBuild - 1 {
		content := make([]byte, picturesBytes)
		_, _ = random.Read(content)
		name := fmt.Sprintf("assets/picture-%d.png", i)
		if i < textsOfBuild {
			name = fmt.Sprintf("assets/text-%d.json", i)
			content = fmt.Appendf(nil, `{"words": ["%s"]}`, strings.Repeat(fmt.Sprintf("%x ", content[:16]), picturesBytes/36))
		}
		files[name] = content
	}
	return files
}

// measureStored publishes over the API and looks into the bucket.
func measureStored(ctx context.Context, launch []byte) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	server, err := startWaft(ctx, engines)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close()) }()
	s, err := server.subject(ctx, "storage")
	if err != nil {
		return err
	}
	before, err := storedIn(server.dir)
	if err != nil {
		return err
	}
	var sent int64
	var uploads samples
	files := unchanged()
	for n := range publishes {
		contentType, body, err := form(version(launch, n), files)
		if err != nil {
			return err
		}
		var build struct{ ID, SizeBytes int64 }
		begun := time.Now()
		if err := s.create(ctx, "/v1/ota/builds", contentType, body, &build); err != nil {
			return err
		}
		took := time.Since(begun)
		uploads = uploads.plus(samples{[]time.Duration{took}, took})
		sent += build.SizeBytes
		s.build = build.ID
		if err := s.publish(ctx); err != nil {
			return err
		}
	}
	after, err := storedIn(server.dir)
	if err != nil {
		return err
	}
	fmt.Printf("%d publishes of %d files, one of them changed each time; an upload took %.0f ms in the median\n\n",
		publishes, filesOfBuild, ms(uploads.quantile(.5)))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tfiles\tbytes\tof what was sent\t")
	fmt.Fprintf(w, "sent\t%d\t%s\t100 %%\t\n", publishes*filesOfBuild, megabytes(sent))
	var all stored
	for _, suffix := range []string{"", ".br", ".gz"} {
		kept := stored{after[suffix].files - before[suffix].files, after[suffix].bytes - before[suffix].bytes}
		all = stored{all.files + kept.files, all.bytes + kept.bytes}
		fmt.Fprintf(w, "stored %s\t%d\t%s\t%.1f %%\t\n", map[string]string{"": "as they are", ".br": "in Brotli", ".gz": "in gzip"}[suffix],
			kept.files, megabytes(kept.bytes), percentOf(kept.bytes, sent))
	}
	fmt.Fprintf(w, "stored\t%d\t%s\t%.1f %%\t\n\n", all.files, megabytes(all.bytes), percentOf(all.bytes, sent))
	return w.Flush()
}

// form is an upload of a build.
func form(launch []byte, files map[string][]byte) (contentType, body string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	errs := []error{w.WriteField("platform", "ios"), w.WriteField("runtimeVersion", "1.0.0")}
	add := func(part, name string, content []byte) {
		file, err := w.CreateFormFile(part, name)
		if err == nil {
			_, err = file.Write(content)
		}
		errs = append(errs, err)
	}
	add("bundle", "index.hbc", launch)
	for name, content := range files {
		add("assets", name, content)
	}
	errs = append(errs, w.Close())
	return w.FormDataContentType(), b.String(), errors.Join(errs...)
}

// stored counts objects.
type stored struct {
	files int
	bytes int64
}

// storedIn counts the objects of a bucket by the end of their names.
func storedIn(dir string) (map[string]stored, error) {
	found := map[string]stored{}
	err := filepath.WalkDir(filepath.Join(dir, "projects"), func(path string, d fs.DirEntry, err error) error {
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
	return found, err
}

// measureKeeping stores bundles as what is compressed and as what is not.
func measureKeeping(ctx context.Context, launch []byte) (err error) {
	dir, err := os.MkdirTemp("", "waft-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bucket, err := assets.Open(ctx, "file://"+filepath.Join(dir, "bucket"), filepath.Join(dir, "staging"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tMB per second\tms per file\t")
	for project, as := range []struct{ name, contentType string }{
		{"staged and kept without variants", "image/png"}, {"staged, compressed and kept", "application/javascript"},
	} {
		begun := time.Now()
		for n := range keptFiles {
			if err := keepOne(ctx, bucket, int64(project+1), version(launch, n), as.contentType); err != nil {
				return err
			}
		}
		took := time.Since(begun)
		fmt.Fprintf(w, "%s\t%.1f\t%.0f\t\n", as.name, float64(keptFiles*len(launch))/1e6/took.Seconds(), ms(took)/keptFiles)
	}
	return w.Flush()
}

func keepOne(ctx context.Context, bucket *assets.Bucket, project int64, content []byte, contentType string) (err error) {
	staged, err := bucket.Stage(ctx, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, staged.Discard()) }()
	_, err = staged.Keep(ctx, project, contentType)
	return err
}

func megabytes(n int64) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

func percentOf(n, of int64) float64 { return 100 * float64(n) / float64(of) }
