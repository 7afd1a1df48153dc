package client_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// releaser is a server that has all files, and lists the builds and releases of a test.
type releaser struct {
	mu               sync.Mutex
	builds, releases []map[string]any
	calls            []string
	// group is the groupId of the last publish.
	group string
}

func (s *releaser) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // a part fails the test
	call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/v1/ota")
	s.calls = append(s.calls, call)
	switch call {
	case "POST /builds/check":
		answerJSON(w, 200, "application/json", map[string]any{"missing": []string{}})
	case "GET /builds":
		answerJSON(w, 200, "application/json", s.builds)
	case "GET /updates":
		answerJSON(w, 200, "application/json", s.releases)
	case "POST /builds":
		answerJSON(w, 201, "application/json", map[string]any{"id": 100, "platform": "ios"})
	default: // a publish
		var publish struct{ GroupID string }
		_ = json.Unmarshal(body, &publish) // the group is compared
		s.group = publish.GroupID
		answerJSON(w, 201, "application/json", map[string]any{"id": 200, "platform": "ios", "groupId": publish.GroupID, "isEnabled": true})
	}
}

// A publish of one platform was interrupted. Another publish of the same export may have made a build and a release in the meantime.
func TestAResumedPublishUsesOnlyWhatItMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	publication := client.Publication{
		Dir: dir, Platforms: []models.Platform{models.IOS}, Channel: "production",
		Upload: client.Upload{RuntimeVersion: "1.0.0", GitBranch: "main", GitAuthor: "Ada", Message: "m", GitCommitHash: "c0ffee"},
	}
	prepared, err := publication.Prepare(t.Context())
	require.NoError(t, err)
	var assets []map[string]any
	for _, sum := range sums(t, prepared) {
		assets = append(assets, map[string]any{"sha256": sum})
	}
	own, begun := uuid.New(), time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	// build returns the build that the attempt has made, with changes.
	build := func(changes map[string]any) map[string]any {
		b := map[string]any{
			"id": 9, "platform": "ios", "runtimeVersion": "1.0.0", "message": "m",
			"gitCommitHash": "c0ffee", "gitBranch": "main", "gitAuthor": "Ada",
			"createdAt": begun.Add(time.Second), "assets": assets, "releases": []any{},
		}
		for name, value := range changes {
			b[name] = value
		}
		return b
	}
	release := func(group uuid.UUID, enabled bool) map[string]any {
		return map[string]any{"id": 8, "platform": "ios", "groupId": group, "isEnabled": enabled, "buildId": 9}
	}
	others := []any{map[string]any{"updateId": 8, "channel": "production", "createdAt": begun.Add(time.Second), "isEnabled": true}}
	for name, c := range map[string]struct {
		build, release map[string]any
		// published is the build that the publish uses; 0 if it does not make a release.
		published int
		renewed   bool
	}{
		"its build":   {build: build(nil), published: 9},
		"no build":    {published: 100},
		"its release": {build: build(map[string]any{"releases": others}), release: release(own, true)},
		"its release, disabled": {
			build: build(map[string]any{"releases": others}), release: release(own, false), published: 100, renewed: true,
		},
		"another publish's":        {build: build(map[string]any{"releases": others}), release: release(uuid.New(), true), published: 100},
		"another branch":           {build: build(map[string]any{"gitBranch": "next"}), published: 100},
		"another author":           {build: build(map[string]any{"gitAuthor": "Bob"}), published: 100},
		"a source map":             {build: build(map[string]any{"sourceMapBytes": 5}), published: 100},
		"a build before it":        {build: build(map[string]any{"createdAt": begun.Add(-time.Second)}), published: 100},
		"other files":              {build: build(map[string]any{"assets": assets[1:]}), published: 100},
		"an update of a binary":    {build: build(map[string]any{"embeddedUpdateId": own}), published: 100},
		"a build with other notes": {build: build(map[string]any{"message": "n"}), published: 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &releaser{builds: []map[string]any{}, releases: []map[string]any{}}
			if c.build != nil {
				s.builds = append(s.builds, c.build)
			}
			if c.release != nil {
				s.releases = append(s.releases, c.release)
			}
			server := httptest.NewServer(s)
			defer server.Close()
			api, err := client.New(server.URL, client.Credentials{Key: "k", Project: "demo"})
			require.NoError(t, err)
			saved := 0
			a := &client.Attempt{Key: "key", Group: own, Begun: begun, Resumed: true, Save: func(*client.Attempt) error {
				saved++
				return nil
			}}
			updates, err := api.PublishPrepared(t.Context(), prepared, a)
			require.NoError(t, err)
			require.Len(t, updates, 1)
			require.True(t, updates[0].IsEnabled)
			require.Equal(t, a.Group, updates[0].GroupID)
			require.Equal(t, begun, a.Begun)
			if c.renewed {
				require.NotEqual(t, own, a.Group)
				require.NotEqual(t, "key", a.Key)
				require.Equal(t, 1, saved)
			} else {
				require.Equal(t, own, a.Group)
				require.Zero(t, saved, "the first run has saved it")
			}
			if c.published == 0 {
				require.Equal(t, []string{"POST /builds/check", "GET /updates"}, s.calls)
				return
			}
			require.Contains(t, s.calls, fmt.Sprintf("POST /builds/%d/publish", c.published))
			require.Equal(t, a.Group.String(), s.group)
			require.Equal(t, c.published == 100, slices.Contains(s.calls, "POST /builds"))
		})
	}
}

// sums returns the SHA-256 of the files of a publication, as its check of the server names them.
func sums(t *testing.T, p *client.Prepared) (all []string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var check client.CheckFilesBody
		_ = json.NewDecoder(r.Body).Decode(&check) // an empty one fails the test
		for _, f := range check.Files {
			all = append(all, f.Sha256)
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	api, err := client.New(server.URL, client.Credentials{Key: "k", Project: "demo"})
	require.NoError(t, err)
	_, err = api.PublishPrepared(t.Context(), p, nil)
	require.Error(t, err)
	return all
}

func TestANewAttemptIsSavedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	publication := client.Publication{Dir: dir, Platforms: []models.Platform{models.IOS}, Channel: "production"}
	prepared, err := publication.Prepare(t.Context())
	require.NoError(t, err)
	s := &releaser{builds: []map[string]any{}, releases: []map[string]any{}}
	server := httptest.NewServer(s)
	defer server.Close()
	api, err := client.New(server.URL, client.Credentials{Key: "k", Project: "demo"})
	require.NoError(t, err)
	saved := 0
	a := client.NewAttempt()
	a.Resumed = true // because of another publish
	a.Save = func(*client.Attempt) error { saved++; return nil }
	for range 2 {
		_, err = api.PublishPrepared(t.Context(), prepared, a)
		require.NoError(t, err)
		require.Equal(t, 1, saved)
		require.Equal(t, a.Group.String(), s.group)
	}
	require.Equal(t, []string{"POST /builds/check", "POST /builds", "POST /builds/100/publish", "POST /builds/check", "GET /updates",
		"GET /builds", "POST /builds", "POST /builds/100/publish"}, s.calls)
}
