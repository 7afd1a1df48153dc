package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asBench has this program be bench instead of its tests, since benchmarks start it again as a server.
const asBench = "WAFT_TEST_AS_BENCH"

func TestMain(m *testing.M) {
	if os.Getenv(asBench) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestShortForms runs every benchmark in its short form, whose speed is meaningless: a benchmark must succeed and print a table
// with numbers. Benchmarks scale their data by options.size and options.lasting, so a new benchmark has a short form, too.
func TestShortForms(t *testing.T) {
	t.Parallel()
	for name := range benchmarks {
		t.Run("bench "+name, func(t *testing.T) {
			t.Parallel()
			out, err := bench(t, strings.Fields(name+" -short")...)
			require.NoErrorf(t, err, "%s", out)
			require.Positivef(t, figures(out), "no table has a figure:\n%s", out)
		})
	}
}

func TestABenchmarkThatIsMissingIsRefused(t *testing.T) {
	t.Parallel()
	out, err := bench(t, "deliveries", "-short")
	require.Error(t, err)
	require.Contains(t, out, "there is no benchmark deliveries")
}

// figures counts the numbers in the rows of tables, whose cells are separated by bars or by two spaces at least. NaN is not a number.
func figures(out string) (n int) {
	for line := range strings.Lines(out) {
		for _, cell := range cells.Split(line, -1) {
			number, _, _ := strings.Cut(strings.TrimSpace(cell), " %")
			if value, err := strconv.ParseFloat(number, 64); err == nil && !math.IsNaN(value) {
				n++
			}
		}
	}
	return n
}

var cells = regexp.MustCompile(`\||\s{2,}`)

// bench runs the program in the folder of the repository and returns what it prints.
func bench(t *testing.T, args ...string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), asBench+"=yes")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}
