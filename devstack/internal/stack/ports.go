package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Ports has the ports on which the stack's processes listen on loopback.
type Ports struct {
	API         int `json:"api"`
	Worker      int `json:"worker"`
	Admin       int `json:"admin"`
	WorkerAdmin int `json:"workerAdmin"`
	Postgres    int `json:"postgres"`
	ClickHouse  int `json:"clickhouse"`
	Temporal    int `json:"temporal"`
	TemporalUI  int `json:"temporalUI"`
}

// DefaultPorts differ from the engines' usual ones, which may be in use.
var DefaultPorts = Ports{
	API: 8080, Worker: 8081, Admin: 8082, WorkerAdmin: 8083, Postgres: 5433, ClickHouse: 8124, Temporal: 7234, TemporalUI: 8234,
}

// variables returns the ports by the environment variables that set them.
func (p *Ports) variables() map[string]*int {
	return map[string]*int{
		"WAFT_PORT":              &p.API,
		"WAFT_WORKER_PORT":       &p.Worker,
		"WAFT_ADMIN_PORT":        &p.Admin,
		"WAFT_WORKER_ADMIN_PORT": &p.WorkerAdmin,
		"WAFT_POSTGRES_PORT":     &p.Postgres,
		"WAFT_CLICKHOUSE_PORT":   &p.ClickHouse,
		"WAFT_TEMPORAL_PORT":     &p.Temporal,
		"WAFT_TEMPORAL_UI_PORT":  &p.TemporalUI,
	}
}

func portsFile(dir string) string { return filepath.Join(dir, "ports.json") }

// choosePorts returns the ports for the stack in dir, from the environment, the
// running stack, or the defaults.
func choosePorts(dir string) (Ports, error) {
	ports := DefaultPorts
	data, err := os.ReadFile(portsFile(dir))
	if err == nil {
		_ = json.Unmarshal(data, &ports) // an incomplete file counts as none
	} else if !errors.Is(err, fs.ErrNotExist) {
		return ports, err
	}
	for name, port := range ports.variables() {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		number, err := strconv.Atoi(value)
		if err != nil || number < 1 || number > 65535 {
			return ports, fmt.Errorf("%s must be a port number, not %q", name, value)
		}
		*port = number
	}
	return ports, nil
}

func (p Ports) save(dir string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return process.WriteFile(portsFile(dir), data, 0o644)
}

// freePorts returns unused ports. They are below the range of outgoing connections, so that
// they are still free when they are used.
func freePorts() (Ports, error) {
	var ports Ports
	taken := map[int]bool{}
	for _, port := range ports.variables() {
		for tries := 0; *port == 0; tries++ {
			if tries == 1000 {
				return ports, errors.New("no free port found")
			}
			candidate := 15000 + rand.IntN(15000)
			if !taken[candidate] && portFree(candidate) == nil {
				*port, taken[candidate] = candidate, true
			}
		}
	}
	return ports, nil
}

func portFree(port int) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", loopback(port))
	if err != nil {
		return err
	}
	return listener.Close()
}

// port is a port with the words of an error about it.
type port struct {
	number          int
	owner, variable string
}

func (p port) claim() error {
	err := portFree(p.number)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("port %d for %s is taken by another program: stop that program or set %s",
			p.number, p.owner, p.variable)
	default:
		return fmt.Errorf("port %d for %s cannot be used (%w): set %s", p.number, p.owner, err, p.variable)
	}
}

// await claims the port, within patience.
func (p port) await(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		err := p.claim()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

// loopback returns the address of a port for a process to listen on.
func loopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// named returns the same address for people and files. Passkeys work on localhost but not on an IP address. A browser keeps
// separate cookies for localhost and 127.0.0.1, so links with both names would sign people out.
func named(port int) string { return "localhost:" + strconv.Itoa(port) }
