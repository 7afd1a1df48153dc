package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
	"github.com/waft-ota/waft/devstack/internal/postgres"
	"github.com/waft-ota/waft/devstack/internal/process"
)

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]*$`)

func formatEnv(vars map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		value := vars[name]
		if !plain.MatchString(value) {
			value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
		}
		fmt.Fprintf(&b, "%s=%s\n", name, value)
	}
	return b.String()
}

func parseEnv(text string) map[string]string {
	vars := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if quoted, ok := strings.CutPrefix(value, "'"); ok {
			value = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
		}
		vars[name] = value
	}
	return vars
}

// overlay returns the caller's environment with vars, which have precedence.
func overlay(vars map[string]string) []string {
	env := os.Environ()
	for name, value := range vars {
		env = append(env, name+"="+value) // of a variable that is there twice, exec uses the last
	}
	return env
}

// underlay returns the caller's environment, completed by those vars that the caller does not set.
func underlay(vars map[string]string) []string {
	missing := maps.Clone(vars)
	maps.DeleteFunc(missing, func(name, _ string) bool { return os.Getenv(name) != "" })
	return overlay(missing)
}

// EngineEnv returns the environment of the engines: the caller's, with the time zone and locale
// of a server and without the variables of Postgres's clients.
func EngineEnv() []string {
	env := overlay(map[string]string{"TZ": "UTC", "LC_ALL": "C"})
	return slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "PG") })
}

// enginePasswords are the names of the engines' passwords among the secrets.
var enginePasswords = []string{postgres.PasswordVariable, clickhouse.PasswordVariable}

// secrets returns the stack's secrets. It generates the missing ones.
func secrets(dir string) (map[string]string, error) {
	path := filepath.Join(dir, "secrets.env")
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	made := map[string]string{
		"WAFT_ROOT_KEY":   "waft_" + hex.EncodeToString(random(4)) + "_" + hex.EncodeToString(random(32)),
		"WAFT_SECRET_KEY": base64.StdEncoding.EncodeToString(random(32)),
	}
	for _, name := range enginePasswords {
		made[name] = hex.EncodeToString(random(16))
	}
	kept := parseEnv(string(data))
	maps.Copy(made, kept)
	if maps.Equal(made, kept) {
		return made, os.Chmod(path, 0o600)
	}
	return made, process.WriteFile(path, []byte(formatEnv(made)), 0o600)
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never returns an error
	return b
}
