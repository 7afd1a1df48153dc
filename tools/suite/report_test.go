package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// write makes a folder of results.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

const rerun = `{"Action":"start","Package":"github.com/waft-ota/waft/e2e"}
{"Action":"run","Package":"github.com/waft-ota/waft/e2e","Test":"TestA"}
{"Action":"run","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one"}
{"Action":"output","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one","Output":"    log before\n"}
{"Action":"output","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one","Output":"    Error Trace: a_test.go:7\n"}
{"Action":"output","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one","Output":"    Error: no\n"}
{"Action":"fail","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one","Elapsed":1}
{"Action":"fail","Package":"github.com/waft-ota/waft/e2e","Test":"TestA","Elapsed":2}
{"Action":"run","Package":"github.com/waft-ota/waft/e2e","Test":"TestB"}
{"Action":"pass","Package":"github.com/waft-ota/waft/e2e","Test":"TestB","Elapsed":9}
{"Action":"fail","Package":"github.com/waft-ota/waft/e2e","Elapsed":9}
{"Action":"run","Package":"github.com/waft-ota/waft/e2e","Test":"TestA"}
{"Action":"run","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one"}
{"Action":"pass","Package":"github.com/waft-ota/waft/e2e","Test":"TestA/one","Elapsed":1}
{"Action":"pass","Package":"github.com/waft-ota/waft/e2e","Test":"TestA","Elapsed":2}
{"Action":"pass","Package":"github.com/waft-ota/waft/e2e","Elapsed":9}
`

const pages = `{"runner":"playwright","suite":"dashboard/tests/a.test.ts","name":"opens","outcome":"passed","seconds":3,"firstFailure":""}
{"runner":"playwright","suite":"dashboard/tests/a.test.ts","name":"closes","outcome":"skipped","seconds":0,"firstFailure":""}
`

func TestReport(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, run([]string{"report", write(t, map[string]string{"go-main.json": rerun, "playwright-1.jsonl": pages})}, &out))
	require.Contains(t, out.String(), "9.0 s  e2e TestB\n     3.0 s  dashboard/tests/a.test.ts opens\n     2.0 s  e2e TestA\n")
	require.Contains(t, out.String(), "\nFLAKY e2e TestA\n        Error Trace: a_test.go:7\n        Error: no\n")
	require.NotContains(t, out.String(), "log before")
	require.True(t, strings.HasSuffix(out.String(), "\n\n4 passed, 0 failed, 1 skipped, 1 FLAKY\n"), out.String())
}

func TestReportOfAPackageThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	const broken = `{"Action":"output","Package":"github.com/waft-ota/waft/api","Output":"x.go:1: undefined: y\n"}
{"Action":"fail","Package":"github.com/waft-ota/waft/api","Elapsed":0}
`
	var out strings.Builder
	require.NoError(t, run([]string{"report", write(t, map[string]string{"go-main.json": broken})}, &out))
	require.Contains(t, out.String(), "\nFAILED api\n    x.go:1: undefined: y\n")
	require.Contains(t, out.String(), "\n0 passed, 1 failed\n")
}

func TestReportOfATestWhoseProcessDied(t *testing.T) {
	t.Parallel()
	const died = `{"Action":"run","Package":"github.com/waft-ota/waft/api","Test":"TestA"}
{"Action":"output","Package":"github.com/waft-ota/waft/api","Test":"TestA","Output":"panic: test timed out after 18m0s\n"}
{"Action":"fail","Package":"github.com/waft-ota/waft/api","Elapsed":9}
`
	var out strings.Builder
	require.NoError(t, run([]string{"report", write(t, map[string]string{"go-main.json": died})}, &out))
	require.Contains(t, out.String(), "\nFAILED api TestA\n    panic: test timed out after 18m0s\n")
}

func TestReportWithoutResults(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, run([]string{"report", t.TempDir()}, nil), "contains no results of tests")
}

func TestTable(t *testing.T) {
	t.Parallel()
	flakyRun, green := write(t, map[string]string{"go-main.json": rerun}), write(t, map[string]string{"vitest-1.jsonl": pages})
	var out strings.Builder
	require.NoError(t, run([]string{"table", flakyRun, green, flakyRun}, &out))
	require.Contains(t, out.String(), "failed  of runs  test\n2       3        e2e TestA\n")
	out.Reset()
	require.NoError(t, run([]string{"table", green, green}, &out))
	require.Equal(t, "no test failed in 2 runs\n", out.String())
}
