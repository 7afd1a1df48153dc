package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// passwordName is the Postgres role's password among the secrets.
const passwordName = "WAFT_POSTGRES_PASSWORD"

// secrets returns the stack's secrets. It generates them when the folder is new.
func secrets(dir string) (map[string]string, error) {
	path := filepath.Join(dir, "secrets.env")
	data, err := os.ReadFile(path)
	if err == nil {
		return parseEnv(string(data)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}

	made := map[string]string{
		"WAFT_ROOT_KEY":   "waft_" + hex.EncodeToString(random(4)) + "_" + hex.EncodeToString(random(32)),
		"WAFT_SECRET_KEY": base64.StdEncoding.EncodeToString(random(32)),
		passwordName:      hex.EncodeToString(random(16)),
	}
	return made, process.WriteFile(path, []byte(formatEnv(made)), 0o600)
}

func random(n int) []byte {
	b := make([]byte, n)
	// rand.Read never fails: the runtime stops the program when there is no randomness.
	_, _ = rand.Read(b)
	return b
}
