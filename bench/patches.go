package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/waft-ota/waft/internal/assets/bsdiff"
)

// patchExports is the folder into which `make exports` writes the example app.
const patchExports = "build/exports"

// patchCase is a pair of bundles to make a patch between.
type patchCase struct {
	name             string
	oldFile, newFile []byte
}

// runPatches measures binary patches: their size compared with the whole bundle, the time
// and the memory. It works without engines.
func runPatches(ctx context.Context, s *session) error {
	cases, err := realPatches()
	if err != nil {
		return err
	}
	before := load()
	t := newTable("bundles\tfull\tgzip\tbrotli\tpatch\tof full\tof smallest\tms\tms/MB\tapply ms\tpeak MB\tpeak/old")
	for _, c := range append(cases, s.madePatches()...) {
		if err := c.measure(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	fmt.Printf("%s; sizes in bytes, memory is the heap's peak above the two files\n\n", machine(before))
	return t.print()
}

func (c patchCase) measure(ctx context.Context, t table) error {
	var zipped, brotlied bytes.Buffer
	for _, to := range []io.WriteCloser{gzip.NewWriter(&zipped), brotli.NewWriterLevel(&brotlied, 6)} {
		if _, err := to.Write(c.newFile); err != nil {
			return err
		}
		if err := to.Close(); err != nil {
			return err
		}
	}
	watch := watchHeap()
	began := time.Now()
	patch, err := bsdiff.Diff(ctx, c.oldFile, c.newFile)
	took := time.Since(began)
	peak := watch()
	if err != nil {
		return err
	}
	began = time.Now()
	got, err := bsdiff.Apply(ctx, c.oldFile, patch, int64(len(c.newFile)))
	applied := time.Since(began)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, c.newFile) {
		return errors.New("the patch makes another file")
	}
	full := len(c.newFile)
	percent := func(of int) float64 { return 100 * float64(len(patch)) / float64(of) }
	t.row("%s\t%d\t%d\t%d\t%d\t%.1f %%\t%.1f %%\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f",
		c.name, full, zipped.Len(), brotlied.Len(), len(patch), percent(full), percent(min(zipped.Len(), brotlied.Len(), full)),
		ms(took), ms(took)/float64(full)*(1<<20), ms(applied), float64(peak)/(1<<20), float64(peak)/float64(len(c.oldFile)))
	return nil
}

// realPatches returns patches between the exports of the example app, whose versions differ in
// one component.
func realPatches() ([]patchCase, error) {
	var cases []patchCase
	for _, platform := range []string{"ios", "android"} {
		bundles := map[string][]byte{}
		for _, version := range []string{"stable", "next", "broken"} {
			var err error
			if bundles[version], err = exported(version, platform); err != nil {
				return nil, err
			}
		}
		for _, pair := range [][2]string{{"stable", "next"}, {"next", "broken"}} {
			cases = append(cases, patchCase{platform + " " + pair[0] + " to " + pair[1], bundles[pair[0]], bundles[pair[1]]})
		}
	}
	return cases, nil
}

// exported returns the launch asset of a version of the example app.
func exported(version, platform string) ([]byte, error) {
	found, err := filepath.Glob(filepath.Join(patchExports, version, "_expo/static/js", platform, "*.hbc"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("no export in %s: run `make exports`, and the benchmark in the repository's folder", patchExports)
	}
	return os.ReadFile(found[0])
}

// madePatches returns patches that show the growth of time and memory: bytes that do not compress, with an
// edit every few kilobytes, and the worst case, two files without anything in common.
func (s *session) madePatches() []patchCase {
	cases := make([]patchCase, 0, 4)
	for _, megabytes := range []int{4, 16, 32} {
		file := noise(1, s.size(megabytes<<20))
		edited := slices.Clone(file)
		for i := 0; i < len(edited); i += 5000 {
			edited[i]++
		}
		cases = append(cases, patchCase{fmt.Sprintf("%d MB, edited", megabytes), file, edited})
	}
	return append(cases, patchCase{"4 MB, unrelated", noise(1, s.size(4<<20)), noise(2, s.size(4<<20))})
}

func noise(seed byte, n int) []byte {
	file := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(file) // it does not fail
	return file
}

// watchHeap reads the size of the heap now and every few milliseconds; the returned function
// stops that and returns how much larger it was at most, in bytes.
func watchHeap() (stop func() int64) {
	before := reachable()
	peak := before
	watching, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = until(watching, 5*time.Millisecond, func() (bool, error) { // it ends by cancel
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, int64(m.HeapAlloc))
			return false, nil
		})
	}()
	return func() int64 {
		cancel()
		<-stopped
		return peak - before
	}
}
