package postgres

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// identity returns the user that Postgres runs as: nil for the caller, unless that is
// root, which Postgres refuses. Then it is a user that exists on every Linux, since
// Postgres looks up its own name.
func identity(ctx context.Context, native string) (*process.Identity, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"daemon", "bin", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(account.Uid)
		gid, gidErr := strconv.Atoi(account.Gid)
		if uidErr != nil || gidErr != nil || uid == 0 {
			continue
		}
		id := &process.Identity{UID: uid, GID: gid, Namespace: true}
		// Kernels and containers refuse user namespaces in ways that only a trial shows.
		trial := exec.CommandContext(ctx, filepath.Join(native, "bin", "postgres"), "--version")
		trial.SysProcAttr = process.Spec{Identity: id}.Attributes()
		id.Namespace = os.Getenv("WAFT_DEVSTACK_NO_USERNS") == "" && trial.Run() == nil
		return id, nil
	}
	return nil, errors.New("no user for Postgres, which refuses to run as root: run devstack as an ordinary user")
}
