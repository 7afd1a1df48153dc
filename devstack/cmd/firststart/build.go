package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// build is the programs of one module.
type build struct {
	task

	title, dir, target string
	flags              []string
	// sizes are the bytes of source of each package that must be compiled, total
	// their sum. They are complete when packages is not zero.
	sizes    map[string]int
	total    int
	packages atomic.Int64
	// begun and bytes count the packages that the compiler has taken on.
	begun, bytes atomic.Int64
}

func newBuild(title, dir, flags, target string) *build {
	return &build{title: title, dir: dir, flags: strings.Fields(flags), target: target}
}

// list downloads the modules and finds what must be compiled beyond an earlier build
// and the standard library. Once it has succeeded it does nothing.
func (b *build) list(ctx context.Context, earlier map[string]int, env ...string) error {
	if b.packages.Load() > 0 {
		return nil
	}
	const format = `{{if and .Stale (not .Standard)}}{{$d := .Dir}}{{.ImportPath}}{{range .GoFiles}} {{$d}}/{{.}}{{end}}{{end}}`
	var output bytes.Buffer
	err := b.run(ctx, command{
		dir: b.dir, name: "go", args: slices.Concat([]string{"list", "-deps", "-f", format}, b.flags, []string{b.target}),
		// The go command downloads as many modules at once as it has processors.
		env: append(env, "GOMAXPROCS=12"), stdout: &output,
	})
	if err != nil {
		return err
	}
	b.sizes = sizes(output.String())
	// The same name and size is the same version, which is compiled only once.
	maps.DeleteFunc(b.sizes, func(name string, size int) bool { return earlier[name] == size })
	for _, size := range b.sizes {
		b.total += size
	}
	b.packages.Store(int64(len(b.sizes)))
	return nil
}

// sizes reads lines of a package and its files.
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

// compile puts the programs into bin/.
func (b *build) compile(ctx context.Context) error {
	return b.run(ctx, command{
		dir: b.dir, name: "go",
		args: slices.Concat([]string{"build", "-v", "-o", b.out()}, b.flags, []string{b.target}),
		// The compiler spends a seventh of its time on collecting garbage, which can
		// lie for as long as there is memory.
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
