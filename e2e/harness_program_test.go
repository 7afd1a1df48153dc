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

// program is a process that replies to each line of JSON with one line.
type program struct {
	t       *testing.T
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

// startProgram starts a command in a folder with additional environment variables. When the test ends, the program's
// input ends, and then the program ends.
func startProgram(t *testing.T, folder string, command []string, env ...string) *program {
	t.Helper()
	// The test's context ends before its cleanup. The program must live until then, to close what it has open.
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
		_ = p.process.Wait() // the result does not matter any more
	})
	return p
}

// kill ends the program without a warning.
func (p *program) kill() {
	p.t.Helper()
	require.NoError(p.t, p.process.Process.Kill())
	_ = p.process.Wait() // always reports that the process was killed
	p.process = nil
}

// say sends a line and returns the reply.
func (p *program) say(line object) (answer object) {
	p.t.Helper()
	require.NoError(p.t, json.NewEncoder(p.in).Encode(line))
	require.True(p.t, p.out.Scan(), "the program ended")
	require.NoError(p.t, json.Unmarshal(p.out.Bytes(), &answer))
	return answer
}
