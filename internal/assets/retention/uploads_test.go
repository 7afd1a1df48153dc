package retention_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// rounds runs cleanups repeatedly and informs goroutines that wait for a round.
type rounds struct {
	mu           sync.Mutex
	changed      *sync.Cond
	begun, ended int
	stopped      bool
	// blobs is the total number of collected files. err is the error that ended the rounds.
	blobs int64
	err   error
}

// collectAllTheTime runs the collector until stop is called. stop waits for the current round.
func (w *world) collectAllTheTime() (r *rounds, stop func()) {
	r = &rounds{}
	r.changed = sync.NewCond(&r.mu)
	ctx := context.WithoutCancel(w.t.Context())
	var collecting sync.WaitGroup
	collecting.Go(func() {
		for r.begin() {
			g, err := w.Run(ctx, w.project.ID, alice)
			r.end(g, err)
		}
	})
	return r, func() {
		r.mu.Lock()
		r.stopped = true
		r.mu.Unlock()
		collecting.Wait()
	}
}

func (r *rounds) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	return !r.stopped
}

func (r *rounds) end(g models.Garbage, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = r.begun
	r.blobs += g.Blobs
	r.err = err
	r.stopped = r.stopped || err != nil
	r.changed.Broadcast()
}

// whole returns when a round that began after the call has ended.
func (r *rounds) whole() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for next := r.begun + 1; r.ended < next && !r.stopped; {
		r.changed.Wait()
	}
}

// The number of uploaders, and the amount of work of each.
const (
	uploaders   = 4
	uploadsEach = 25
)

// uploader creates and deletes builds from a small set of files.
type uploader struct {
	*world
	rounds *rounds
	number int
	// kept is a build that is kept for some uploads.
	kept models.Build
}

// TestNoUploadLosesAFile creates and deletes builds from a small set of files while cleanups run all the time. Every
// build whose upload was confirmed must be complete.
func TestNoUploadLosesAFile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	collecting, stop := w.collectAllTheTime()
	var all sync.WaitGroup
	errs := make([]error, uploaders)
	uploading := make([]uploader, uploaders)
	for i := range uploaders {
		uploading[i] = uploader{world: w, rounds: collecting, number: i}
		all.Go(func() {
			for n := range uploadsEach {
				if errs[i] = uploading[i].upload(n); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	stop()
	require.NoError(t, collecting.err)
	for i, u := range uploading {
		require.NoError(t, errs[i])
		require.NotZero(t, u.kept.ID)
		w.requireWhole(u.kept)
	}
	require.Positive(t, collecting.blobs)
}

// upload creates the n-th build. It consists of two files that other uploaders use, too, and a file that belongs to
// this uploader alone. It deletes the build again, unless the build is kept for some time.
func (u *uploader) upload(n int) error {
	pause := func() {}
	if n%3 == 0 {
		pause = u.rounds.whole // held files must survive a whole round
	}
	own := fmt.Sprintf("picture of uploader %d", u.number)
	b, err := u.uploadPausing(pause, fmt.Sprintf("bundle %d", (u.number+n)%3), fmt.Sprintf("picture %d", n%2), own)
	if err != nil {
		return err
	}
	if err := u.whole(b); err != nil {
		return err
	}
	switch n % 5 {
	case 4:
		u.kept = b
		return nil
	case 1:
		if n > 1 {
			if err := u.whole(u.kept); err != nil {
				return err
			}
			if err := u.store.DeleteBuild(u.t.Context(), u.project.ID, alice, u.kept.ID); err != nil {
				return err
			}
		}
	}
	if err := u.store.DeleteBuild(u.t.Context(), u.project.ID, alice, b.ID); err != nil {
		return err
	}
	if n%5 != 1 {
		return nil // the next upload may come before the cleanup or during it
	}
	// The uploader's own file is unused now, so a whole round must delete it.
	u.rounds.whole()
	r, err := u.bucket.Open(u.t.Context(), u.project.ID, b.Assets[2].MD5)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil
	}
	if err == nil {
		err = errors.Join(fmt.Errorf("the file of uploader %d is still there after a collection", u.number), r.Close())
	}
	return err
}

// whole checks that every file of the build exists.
func (u *uploader) whole(b models.Build) error {
	for _, a := range b.Assets {
		r, err := u.bucket.Open(u.t.Context(), u.project.ID, a.MD5)
		if err != nil {
			return fmt.Errorf("file %q of build %d: %w", a.Path, b.ID, err)
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}
