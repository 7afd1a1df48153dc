package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// initialise creates the data folder. It creates a temporary folder and renames it, so that an
// interrupted run does not leave an incomplete data folder.
func initialise(ctx context.Context, p place, s Settings) error {
	parent := filepath.Dir(p.data)
	work, err := os.MkdirTemp(parent, "postgres-init-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	fresh, password := filepath.Join(work, "data"), filepath.Join(work, "password")
	err = errors.Join(os.Mkdir(fresh, 0o700), os.WriteFile(password, []byte(s.Password+"\n"), 0o600))
	if err != nil {
		return err
	}
	if id := p.identity; id != nil && !id.Namespace {
		for _, path := range []string{work, fresh, password} {
			if err := os.Chown(path, id.UID, id.GID); err != nil {
				return err
			}
		}
	}
	args := []string{
		"--pgdata", fresh, "--username", role, "--pwfile", password,
		"--auth=scram-sha-256", "--encoding=UTF8",
		// The same collation on every machine.
		"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
		// Iterations protect a guessable password. This one is random, and each new connection of a client pays for them.
		"-c", "scram_iterations=1",
	}
	if !s.Durable {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.native, "bin", "initdb"), args...)
	cmd.Env, cmd.Dir = s.Env, work
	cmd.SysProcAttr = process.Spec{Identity: p.identity, Tethered: true}.Attributes()
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := process.Spawn(cmd); err != nil {
		return fmt.Errorf("start initdb: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("create the Postgres data folder: %s", process.Reason(output.String(), err))
	}
	// The folder of another user exists already, and is empty.
	if err := os.Remove(p.data); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Rename(fresh, p.data)
}
