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

// envNoNamespace makes devstack behave as where user namespaces are refused.
const envNoNamespace = "WAFT_DEVSTACK_NO_USERNS"

// identity returns whom Postgres runs as: the caller, unless that is root,
// whom Postgres refuses. Then it is a user that exists on every Linux, since
// Postgres looks its own name up.
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
		id.Namespace = namespacesWork(ctx, native, id)
		return id, nil
	}
	return nil, errors.New("no user for Postgres, which refuses to run as root: run devstack as an ordinary user")
}

// namespacesWork tries a user namespace: kernels and containers may refuse
// them in ways that only a trial shows.
func namespacesWork(ctx context.Context, native string, id *process.Identity) bool {
	if os.Getenv(envNoNamespace) != "" {
		return false
	}
	trial := exec.CommandContext(ctx, filepath.Join(native, "bin", "postgres"), "--version")
	trial.SysProcAttr = process.Spec{Identity: id}.Attributes()
	return trial.Run() == nil
}
