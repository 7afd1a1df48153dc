package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMessagesOfACommandThatFails(t *testing.T) {
	t.Parallel()
	var b build
	err := b.run(t.Context(), command{
		dir: t.TempDir(), name: "sh",
		args: []string{"-c", "echo 'go: downloading example.com/a v1.0.0' >&2; echo progress >&2; echo broken >&2; exit 3"},
		line: func(line string) bool { return line == "progress" },
	})
	require.ErrorContains(t, err, "broken")
	require.NotContains(t, err.Error(), "\nprogress")
	require.EqualValues(t, 1, b.modules.Load())
}

func TestSizesOfPackages(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.go")
	require.NoError(t, os.WriteFile(file, []byte("package a\n"), 0o600))
	require.Equal(t, map[string]int{"example.com/a": 20}, sizes("\nexample.com/a "+file+" "+file+"\n\n"))
}

func TestLineSaysWhatIsDoneAndLeft(t *testing.T) {
	t.Parallel()
	s := &start{engines: newBuild("the engines", ".", "", ""), server: newBuild("Waft", "..", "", "")}
	p := progress{start: s, estimate: 6 * time.Minute}
	s.engines.running.Store(true)
	s.engines.modules.Store(7)
	require.Equal(t, "0:20  downloading modules of the engines (7 so far); about 6 min left", p.line(20*time.Second))

	s.engines.total, s.server.total = 300, 100
	s.engines.packages.Store(10)
	s.server.packages.Store(5)
	s.engines.begun.Store(4)
	s.engines.bytes.Store(200)
	s.binaries.running.Store(true)
	require.Equal(t, "2:00  compiling the engines (4 of 10 packages), downloading Postgres and ClickHouse; about 3 min left",
		p.line(2*time.Minute))
	// An estimate that was too short is given up.
	require.Equal(t, 5*time.Minute, p.left(10*time.Minute))
}

func TestEstimateFollowsTheMachine(t *testing.T) {
	t.Parallel()
	slow, fast := estimate(1e6, 1e6), estimate(1e6, 2e6)
	require.Equal(t, 2*(fast-fixed), slow-fixed)
	require.Positive(t, speed())
	require.Equal(t, "40 s", roughly(31*time.Second))
	require.Equal(t, "7 min", roughly(390*time.Second))
}
