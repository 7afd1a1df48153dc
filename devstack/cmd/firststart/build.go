package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
)

type build struct {
	task

	title, dir, target string
	flags              []string
	// sizes are the bytes of source of each package to compile, total is their sum. They
	// are complete when packages is not zero.
	sizes    map[string]int
	total    int
	packages atomic.Int64
	// begun and bytes count the packages whose compilation has begun.
	begun, bytes atomic.Int64
}

func newBuild(title, dir, flags, target string) *build {
	return &build{title: title, dir: dir, flags: strings.Fields(flags), target: target}
}

// list downloads the modules and finds the packages to compile that are not part of an
// earlier build or the standard library. After a success it does nothing.
func (b *build) list(ctx context.Context, earlier map[string]int, env ...string) error {
	if b.packages.Load() > 0 {
		return nil
	}
	const format = `{{if and .Stale (not .Standard)}}{{$d := .Dir}}{{.ImportPath}}{{range .GoFiles}} {{$d}}/{{.}}{{end}}{{end}}`
	var output bytes.Buffer
	err := b.run(ctx, command{
		dir: b.dir, name: "go", args: slices.Concat([]string{"list", "-deps", "-f", format}, b.flags, []string{b.target}),
		// The go command downloads GOMAXPROCS modules at the same time.
		env: append(env, "GOMAXPROCS=12"), stdout: &output,
	})
	if err != nil {
		return err
	}
	b.sizes = sizes(output.String())
	// A package with the same name and size is the same, and compiled only once.
	maps.DeleteFunc(b.sizes, func(name string, size int) bool { return earlier[name] == size })
	for _, size := range b.sizes {
		b.total += size
	}
	b.packages.Store(int64(len(b.sizes)))
	return nil
}

// sizes sums the file sizes of packages. A line has a package and its files.
func sizes(lines string) map[string]int {
	found := map[string]int{}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		for _, file := range words[1:] {
			if info, err := os.Stat(file); err == nil {
				found[words[0]] += int(info.Size())
			}
		}
	}
	return found
}

func (b *build) compile(ctx context.Context) error {
	return b.run(ctx, command{
		dir: b.dir, name: "go",
		args: slices.Concat([]string{"build", "-v", "-o", b.out()}, b.flags, []string{b.target}),
		// Less garbage collection saves a seventh of the compiler's time.
		env: []string{"GOGC=400", "GOMEMLIMIT=1GiB"},
		line: func(line string) bool {
			size, known := b.sizes[line]
			if known {
				b.begun.Add(1)
				b.bytes.Add(int64(size))
			}
			return known || !strings.Contains(line, " ")
		},
	})
}

func (b *build) out() string {
	if b.dir == "." {
		return "../bin/"
	}
	return "bin/"
}

type task struct {
	running atomic.Bool
	// modules counts the begun downloads of modules.
	modules atomic.Int64
}

type command struct {
	dir, name string
	args, env []string
	stdout    io.Writer
	// line, if not nil, is called with each line of stderr. It reports whether the line is
	// progress and not a message.
	line func(string) bool
}

// run runs the command. Its error has the messages of the command.
func (t *task) run(ctx context.Context, c command) error {
	t.running.Store(true)
	defer t.running.Store(false)
	cmd := exec.CommandContext(ctx, c.name, c.args...)
	cmd.Dir, cmd.Stdout = c.dir, c.stdout
	cmd.Env = append(os.Environ(), c.env...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var messages strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "go: downloading "):
			t.modules.Add(1)
		case c.line == nil || !c.line(line):
			messages.WriteString("\n" + line)
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s %s: %w%s", c.name, strings.Join(c.args, " "), err, messages.String())
	}
	return nil
}
