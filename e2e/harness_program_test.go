package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is a process that answers each line of JSON with a line.
type program struct {
	t       *testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// startProgram starts a command in a folder, with more environment. It ends with the test, when its input ends.
func startProgram(t *testing.T, folder string, command []string, env ...string) *program {
	t.Helper()
	// The test's own context ends before its cleanup, in which the program closes what it has open.
	ctx, kill := context.WithCancel(context.WithoutCancel(t.Context()))
	p := &program{t: t, process: exec.CommandContext(ctx, command[0], command[1:]...)}
	p.process.Dir = folder
	p.process.Env = append(os.Environ(), env...)
	p.process.Stderr = t.Output()
	var err error
	p.in, err = p.process.StdinPipe()
	require.NoError(t, err)
	out, err := p.process.StdoutPipe()
	require.NoError(t, err)
	p.out = bufio.NewScanner(out)
	require.NoError(t, p.process.Start())
	t.Cleanup(func() {
		defer kill()
		if p.process == nil {
			return
		}
		defer time.AfterFunc(10*time.Second, kill).Stop()
		p.in.Close()
		_ = p.process.Wait() // what it did before is what counts
	})
	return p
}

// kill ends the program without a word.
func (p *program) kill() {
	p.t.Helper()
	require.NoError(p.t, p.process.Process.Kill())
	_ = p.process.Wait() // it says that it was killed
	p.process = nil
}

// say sends a line and returns the answer.
func (p *program) say(line object) (answer object) {
	p.t.Helper()
	require.NoError(p.t, json.NewEncoder(p.in).Encode(line))
	require.True(p.t, p.out.Scan(), "the program ended")
	require.NoError(p.t, json.Unmarshal(p.out.Bytes(), &answer))
	return answer
}
