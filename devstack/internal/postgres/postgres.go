// Package postgres runs a real Postgres from the binaries that npm delivers.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Name is the process's name in the data folder.
const Name = "postgres"

// StopSignal requests a fast shutdown, which rolls back open transactions.
const StopSignal = syscall.SIGINT

// PasswordVariable is the environment variable with the role's password. Arguments of a
// process can be read by every user of the machine.
const PasswordVariable = "WAFT_POSTGRES_PASSWORD"

// hbaFile is the file in the stack's folder with the rules for sign-in of a Postgres that does not listen on loopback.
const hbaFile = "postgres-hba.conf"

// role is a superuser, so that tests can create databases.
const role = "waft"

// Settings configure a start.
type Settings struct {
	// Dir is the stack's data folder.
	Dir string
	// Host is the address to listen on, loopback if it is empty. Elsewhere clients from every address may sign in with the password.
	Host string
	// Port is the port.
	Port int
	// Password is the role's. It is set when the data folder is created.
	Password string
	// Durable turns on fsync, against power failures. Without it, a killed process
	// does not lose data.
	Durable bool
	// Env is the processes' environment.
	Env []string
	// Tethered kills Postgres when this process ends.
	Tethered bool
}

// URL returns the address of the database for clients.
func (s Settings) URL() string { return s.database(role) }

func (s Settings) database(name string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(role, s.Password),
		Host:     "localhost:" + strconv.Itoa(s.Port),
		Path:     "/" + name,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Prepare creates the data folder if it does not exist, and returns the specification of the server's process.
func Prepare(ctx context.Context, s Settings) (process.Spec, error) {
	p, err := locate(ctx, s.Dir)
	if err != nil {
		return process.Spec{}, err
	}
	if _, err := os.Stat(filepath.Join(p.data, "PG_VERSION")); errors.Is(err, fs.ErrNotExist) {
		if err := initialise(ctx, p, s); err != nil {
			return process.Spec{}, err
		}
	} else if err != nil {
		return process.Spec{}, err
	}
	if err := evict(p.data); err != nil {
		return process.Spec{}, err
	}
	if s.Host != "" {
		if err := process.WriteFile(filepath.Join(s.Dir, hbaFile), []byte("host all all all scram-sha-256\n"), 0o600); err != nil {
			return process.Spec{}, err
		}
	}
	return process.Spec{
		Name: Name, Path: filepath.Join(p.native, "bin", "postgres"), Args: arguments(p, s), Env: s.Env, Dir: p.data,
		Address: "localhost:" + strconv.Itoa(s.Port), Identity: p.identity, Tethered: s.Tethered,
	}, nil
}

// arguments returns the server's command line with all settings, because the file in the
// data folder may have the settings of an older devstack.
func arguments(p place, s Settings) []string {
	settings := []string{
		"listen_addresses=" + cmp.Or(s.Host, "127.0.0.1"),
		"port=" + strconv.Itoa(s.Port),
		"unix_socket_directories=",
		"max_connections=500",
		"timezone=UTC",
		"log_timezone=UTC",
		"log_checkpoints=off",
	}
	if !s.Durable {
		// Commits still reach the kernel before they are acknowledged.
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	if s.Host != "" {
		settings = append(settings, "hba_file="+filepath.Join(s.Dir, hbaFile))
	}
	args := []string{"-D", p.data}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// Evict ends the child processes of a killed server in the stack's folder. They
// would end only when they next wait, and until then a new server does not start. The
// server itself must have ended.
func Evict(dir string) error {
	return errors.Join(evict(filepath.Join(dir, "postgres")), evict(filepath.Join(publicFolderOf(dir), "postgres")))
}

func evict(data string) error {
	resolved, err := filepath.EvalSymlinks(data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, pid := range process.WorkingIn(resolved) {
		process.Adopt(pid).Stop(syscall.SIGQUIT, 5*time.Second)
	}
	err = os.Remove(filepath.Join(data, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Ready returns once the server accepts connections and the database exists.
func Ready(ctx context.Context, s Settings) error {
	conn, err := pgx.Connect(ctx, s.database("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	const find = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
	if err := conn.QueryRow(ctx, find, role).Scan(&exists); err != nil {
		return err
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+role); err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return nil
}

// Remove deletes the files of the stack in dir that are outside of dir.
func Remove(dir string) error {
	path := publicFolderOf(dir)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.IsDir() || !ownedByCaller(info) {
		return err
	}
	return os.RemoveAll(path)
}
