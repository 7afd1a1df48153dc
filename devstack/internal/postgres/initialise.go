package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// initialise creates the data folder. It builds a temporary one and renames it, so that
// an interrupted run leaves nothing that looks complete.
func initialise(ctx context.Context, p place, s Settings) error {
	parent := filepath.Dir(p.data)
	work, err := os.MkdirTemp(parent, "postgres-init-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()

	fresh, password := filepath.Join(work, "data"), filepath.Join(work, "password")
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(password, []byte(s.Password+"\n"), 0o600); err != nil {
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
		// The same order of strings on every machine, whatever its locales.
		"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
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

	// A folder made ready for another user is empty and in the way.
	if err := os.Remove(p.data); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Rename(fresh, p.data)
}
