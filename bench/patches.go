package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/waft-ota/waft/internal/assets/bsdiff"
)

// patchExports is where `make exports` leaves the example app.
const patchExports = ".waft/exports"

// patchCase is a pair of bundles to make a patch between.
type patchCase struct {
	name             string
	oldFile, newFile []byte
}

// runPatches measures binary patches: how large beside the whole bundle, how long
// they take, and how much memory. It needs no engines.
func runPatches(ctx context.Context) error {
	cases, err := realPatches()
	if err != nil {
		return err
	}
	cases = append(cases, madePatches()...)
	fmt.Printf("%d CPUs; load average %s; sizes in bytes, memory is the heap's peak above the two files\n\n", runtime.NumCPU(), load())
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "bundles\tfull\tgzip\tbrotli\tpatch\tof full\tof smallest\tms\tms/MB\tapply ms\tpeak MB\tpeak/old")
	for _, c := range cases {
		if err := measurePatch(ctx, out, c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return out.Flush()
}

func measurePatch(ctx context.Context, out *tabwriter.Writer, c patchCase) error {
	packed, err := gzipped(c.newFile)
	if err != nil {
		return err
	}
	squeezed, err := brotlied(c.newFile)
	if err != nil {
		return err
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
	percent := func(of int) float64 { return 100 * float64(len(patch)) / float64(of) }
	millis := float64(took.Microseconds()) / 1000
	_, err = fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%.1f %%\t%.1f %%\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\n",
		c.name, len(c.newFile), packed, squeezed, len(patch), percent(len(c.newFile)), percent(min(packed, squeezed, len(c.newFile))),
		millis, millis/float64(len(c.newFile))*(1<<20), float64(applied.Microseconds())/1000,
		float64(peak)/(1<<20), float64(peak)/float64(len(c.oldFile)))
	return err
}

// realPatches are between the exports of the example app, whose versions differ in
// one component.
func realPatches() ([]patchCase, error) {
	var cases []patchCase
	for _, platform := range []string{"ios", "android"} {
		bundles := map[string][]byte{}
		for _, version := range []string{"stable", "next", "broken"} {
			found, err := filepath.Glob(filepath.Join(patchExports, version, "_expo/static/js", platform, "*"))
			if err != nil || len(found) != 1 {
				return nil, fmt.Errorf("no export in %s: run `make exports`, and the benchmark in the repository's folder", patchExports)
			}
			if bundles[version], err = os.ReadFile(found[0]); err != nil {
				return nil, err
			}
		}
		for _, pair := range [][2]string{{"stable", "next"}, {"next", "broken"}} {
			cases = append(cases, patchCase{platform + " " + pair[0] + " to " + pair[1], bundles[pair[0]], bundles[pair[1]]})
		}
	}
	return cases, nil
}

// madePatches show how time and memory grow: bytes that nothing packs, with an
// edit every few kilobytes, and the worst that a server meets, two files without
// anything in common.
func madePatches() []patchCase {
	cases := make([]patchCase, 0, 4)
	for _, megabytes := range []int{4, 16, 32} {
		file := noise(1, megabytes<<20)
		edited := slices.Clone(file)
		for i := 0; i < len(edited); i += 5000 {
			edited[i]++
		}
		cases = append(cases, patchCase{fmt.Sprintf("%d MB, edited", megabytes), file, edited})
	}
	return append(cases, patchCase{"4 MB, unrelated", noise(1, 4<<20), noise(2, 4<<20)})
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	file := make([]byte, n)
	for i := range file {
		file[i] = byte(r.Uint32())
	}
	return file
}

func gzipped(file []byte) (int, error) {
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	if _, err := w.Write(file); err != nil {
		return 0, err
	}
	err := w.Close()
	return to.Len(), err
}

func brotlied(file []byte) (int, error) {
	var to bytes.Buffer
	w := brotli.NewWriterLevel(&to, 6)
	if _, err := w.Write(file); err != nil {
		return 0, err
	}
	err := w.Close()
	return to.Len(), err
}

// watchHeap looks at the heap now and every few milliseconds; what it returns stops
// that and answers how much larger it was at most, in bytes.
func watchHeap() (stop func() uint64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := m.HeapAlloc, m.HeapAlloc
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			select {
			case <-done:
				return
			case <-ticker.C:
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-stopped
		return peak - before
	}
}
