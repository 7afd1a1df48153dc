package delivery

import (
	"net/http"
	"slices"
	"time"

	"github.com/dunglas/httpsfv"
	"github.com/stretchr/testify/require"
)

const embeddedID = "00000000-0000-4000-8000-00000000e0be"

// embedded is the ID that tests use for the update inside the app.
const embedded = int64(0)

// stockClient imitates an expo-updates client in everything that affects the choice of the running update.
type stockClient struct {
	id      string
	user    string          // "" without a signed-in user
	stored  []*storedUpdate // the embedded update is the first
	filters map[string]any
	running *storedUpdate
	keeps   int
	// heldOn is the release that the client settled on while the channel does not serve it, or nil while the channel
	// serves it.
	heldOn *int64
	// lost says that the client runs an update that the project lost in a restore. Only then may a response have no
	// filters.
	lost bool
}

// Stored updates that a client keeps in addition to the running update and newer ones. Clients differ, and the rules
// must hold for all.
const (
	keepsNewest = iota
	keepsRunnable
	keepsAll
)

type storedUpdate struct {
	id        string
	release   int64
	committed time.Time
	metadata  map[string]any // nil for the embedded update, which therefore passes every filter
	// failed is set by a failed start, started by a successful start. The client does not start an update again if it
	// failed without ever starting successfully.
	failed, started bool
	// manifest is the first manifest that the client got for this ID. The client does not read later manifests for
	// the same ID.
	manifest []byte
}

// newStockClient returns a phone on which the app was just installed and started.
func newStockClient(id string) *stockClient {
	c := &stockClient{id: id, stored: []*storedUpdate{
		{id: embeddedID, committed: time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)},
	}}
	c.launch()
	return c
}

// launch starts the update with the latest commit time among the updates that may run, and drops older updates except
// the newest of them.
func (c *stockClient) launch() {
	c.choose()
	c.running.started = true
	c.reap()
}

// choose makes the client run the update that it starts next.
func (c *stockClient) choose() {
	c.running = nil
	for _, u := range c.stored {
		startable := !u.failed || u.started
		if startable && passes(u.metadata, c.filters) && (c.running == nil || u.committed.After(c.running.committed)) {
			c.running = u
		}
	}
}

// reap drops the updates that are older than the running update, except one: the newest of them or, for some clients,
// the newest that the filters allow.
func (c *stockClient) reap() {
	if c.keeps == keepsAll {
		return
	}
	var previous *storedUpdate
	older := func(u *storedUpdate) bool { return u.id != embeddedID && u.committed.Before(c.running.committed) }
	better := func(u *storedUpdate) bool {
		if can, could := passes(u.metadata, c.filters), passes(previous.metadata, c.filters); c.keeps == keepsRunnable && can != could {
			return can
		}
		return u.committed.After(previous.committed)
	}
	for _, u := range c.stored {
		if older(u) && (previous == nil || better(u)) {
			previous = u
		}
	}
	c.stored = slices.DeleteFunc(c.stored, func(u *storedUpdate) bool { return older(u) && u != previous })
}

// crash makes the first start of the running update fail. The client never starts it again.
func (c *stockClient) crash() {
	c.running.failed, c.running.started = true, false
	c.launch()
}

// launchCrashing launches like launch, but every update that starts for the first time fails.
func (c *stockClient) launchCrashing() {
	for c.choose(); !c.running.started; c.choose() {
		c.running.failed = true
	}
	c.launch()
}

// check sends a request to the server and applies the response.
func (c *stockClient) check(t require.TestingT, s *Snapshot) wireAnswer {

	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	a, err := readWire(s.Respond(r), r.Protocol)
	require.NoError(t, err)
	require.Less(t, a.status, 300)
	if a.filters == nil {
		require.True(t, c.lost, "every response has filters")
		require.Nil(t, a.manifest)
		a.filters = c.filters
	}
	if m := a.manifest; m != nil && c.wants(m, a.filters) {
		c.store(t, &storedUpdate{
			id: m.ID, release: m.Extra.Waft.ReleaseID, committed: m.committed, metadata: m.Metadata, manifest: a.raw,
		})
	}
	if d := a.directive; d != nil && d.Type == "rollBackToEmbedded" {
		at, err := readTime(d.Parameters["commitTime"].(string))
		require.NoError(t, err)
		if !passes(c.running.metadata, a.filters) || at.After(c.running.committed) {
			for _, have := range c.stored[1:] {
				require.False(t, have.committed.Equal(at), "a client cannot store two updates with the same commit time")
			}
			c.stored[0].committed = at
		}
	}
	c.filters = a.filters
	return a
}

// wants reports whether the client loads the update.
func (c *stockClient) wants(m *wireManifest, filters map[string]any) bool {
	return passes(m.Metadata, filters) &&
		(!passes(c.running.metadata, filters) || m.committed.After(c.running.committed))
}

func (c *stockClient) store(t require.TestingT, u *storedUpdate) {
	for _, have := range c.stored {
		if have.id == u.id {
			return
		}
		require.False(t, have.committed.Equal(u.committed), "a client cannot store two updates with the same commit time")
	}
	c.stored = append(c.stored, u)
}

// coldStart imitates a person who opens the app, which checks in the background, and opens it again later. It returns
// the release that then runs.
func (c *stockClient) coldStart(t require.TestingT, s *Snapshot) int64 {

	c.launch()
	c.check(t, s)
	c.launch()
	return c.running.release
}

// failed returns the updates that failed to start as the client lists them: at most five, newest commit time first.
func (c *stockClient) failed() httpsfv.List {
	updates := slices.DeleteFunc(slices.Clone(c.stored), func(u *storedUpdate) bool { return !u.failed })
	slices.SortFunc(updates, func(a, b *storedUpdate) int { return b.committed.Compare(a.committed) })
	failed := httpsfv.List{}
	for _, u := range updates[:min(len(updates), 5)] {
		failed = append(failed, httpsfv.NewItem(u.id))
	}
	return failed
}

func (c *stockClient) headers(t require.TestingT) http.Header {
	h := http.Header{}
	h.Set("accept", stockAccept)
	h.Set("expo-protocol-version", "1")
	h.Set("expo-platform", "android")
	h.Set("expo-runtime-version", testRuntime)
	h.Set("expo-channel-name", "production")
	h.Set("eas-client-id", c.id)
	if c.user != "" {
		h.Set("client-user-id", c.user)
	}
	h.Set("expo-current-update-id", c.running.id)
	h.Set("expo-embedded-update-id", embeddedID)
	if failed := c.failed(); len(failed) > 0 {
		value, err := httpsfv.Marshal(failed)
		require.NoError(t, err)
		h.Set("expo-recent-failed-update-ids", value)
	}
	return h
}
