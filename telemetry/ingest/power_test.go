package ingest

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// disk contains the files that a machine would find after a power failure: their content at the time of the last
// sync.
type disk struct {
	mu     sync.Mutex
	synced map[string][]byte
	// refuses makes syncs fail.
	refuses bool
}

func (d *disk) sync(f *os.File) error {
	content, err := os.ReadFile(f.Name())
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuses {
		return errors.New("input/output error")
	}
	d.synced[filepath.Base(f.Name())] = content
	return nil
}

// powerCut is the state of the disk at one moment, with all reports acknowledged by then.
type powerCut struct {
	files map[string][]byte
	ids   []string
}

// partOfLog matches the name of a file with entries.
var partOfLog = regexp.MustCompile(`^\d+$`)

// folder returns the folder as the next start finds it.
func (c powerCut) folder(t *testing.T, dir string) string {
	t.Helper()
	image := crashImage(t, dir)
	require.NoError(t, filepath.WalkDir(image, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if content, ok := c.files[filepath.Base(path)]; ok {
			return os.WriteFile(path, content, 0o600)
		}
		if partOfLog.MatchString(filepath.Base(path)) {
			return os.Remove(path)
		}
		return nil
	}))
	return image
}

func TestWhatIsAcknowledgedSurvivesThePower(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	i := openTestIngest(t, o)
	d := &disk{synced: map[string][]byte{}}
	i.segments.sync = d.sync
	var mu sync.Mutex
	var acknowledged []string
	var cuts []powerCut
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			for range 25 {
				r := testReport("device", models.EventCrash)
				if i.Append(t.Context(), r) != nil {
					continue
				}
				mu.Lock()
				acknowledged = append(acknowledged, r.ID)
				if len(acknowledged)%20 == 0 {
					d.mu.Lock()
					cuts = append(cuts, powerCut{maps.Clone(d.synced), append([]string(nil), acknowledged...)})
					d.mu.Unlock()
				}
				mu.Unlock()
			}
		})
	}
	sending.Wait()
	require.Len(t, cuts, 10)
	for _, cut := range cuts {
		sink := newMemorySink()
		drain(t, cut.folder(t, o.Dir), sink)
		seen := sink.seen(t)
		for _, id := range cut.ids {
			require.Equal(t, 1, seen[id], "the report was acknowledged before it was on the disk")
		}
	}
}

// If the disk cannot sync, no report may be acknowledged.
func TestWhatCannotBeSyncedIsRefused(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	d := &disk{synced: map[string][]byte{}, refuses: true}
	i.segments.sync = d.sync
	requireUnavailable(t, i.Append(t.Context(), testReport("refused", models.EventCrash)))
	d.mu.Lock()
	d.refuses = false
	d.mu.Unlock()
	ids := appendReports(t, i, 1)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
}
