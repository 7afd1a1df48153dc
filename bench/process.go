package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	_ "net/http/pprof" // for BENCH_PPROF_ADDR
	"os"
	"os/exec"
	"strings"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
)

// process is a server in a process of its own: this program, started again with a
// command that reads its input as JSON, prints its address and serves until its
// standard input ends.
type process struct {
	addr  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func startProcess(ctx context.Context, command string, input any) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, program, command)}
	p.cmd.Stderr = os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(p.stdin).Encode(input); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", command, err), p.close())
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s printed no address: %w", command, err), p.close())
	}
	p.addr = strings.TrimSpace(line)
	return p, nil
}

func (p *process) close() error { return errors.Join(p.stdin.Close(), p.cmd.Wait()) }

// await prints the address for startProcess and returns when standard input ends.
func await(addr string) error {
	fmt.Println(addr)
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// serveAnswer is the command that serves a bare Gin handler.
func serveAnswer(ctx context.Context, _ options) (err error) {
	var a answer
	if err := json.NewDecoder(os.Stdin).Decode(&a); err != nil {
		return err
	}
	b, err := startBare(ctx, a)
	if err != nil {
		return err
	}
	return errors.Join(await(b.addr), b.close())
}

// serveAPI is the command that serves Waft's API. BENCH_PPROF_ADDR names where to
// serve profiles of it.
func serveAPI(ctx context.Context, _ options) (err error) {
	var settings map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&settings); err != nil {
		return err
	}
	if addr := os.Getenv("BENCH_PPROF_ADDR"); addr != "" {
		go func() { _ = http.ListenAndServe(addr, nil) }()
	}
	cfg, err := config.FromMap(settings)
	if err != nil {
		return err
	}
	server, err := app.New(ctx, cfg, app.Role{API: true}, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	err = await(server.Addr())
	stop()
	return errors.Join(err, <-ended, server.Close())
}
