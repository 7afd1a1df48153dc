package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/waft-ota/waft/client"
)

// attemptLife is how long an interrupted publish can be resumed: as long as the server knows Idempotency-Keys.
const attemptLife = 24 * time.Hour

// attempts are the interrupted publishes of this user, each in a file of the cache folder.
type attempts struct {
	// folder is "" if the cache folder is unknown. A publish that runs again then only asks the server for each file.
	folder string
	// of begins the names of the files of one project on one server.
	of string
}

// attemptsOf returns the interrupted publishes to a project.
func attemptsOf(server, project string) attempts {
	cache, err := os.UserCacheDir()
	if err != nil {
		return attempts{}
	}
	return attempts{filepath.Join(cache, "waft", "publishes"), short(server + "\n" + project)}
}

// short returns a hash that is short enough for the name of a file.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// take returns the attempt to resume for a publication with the fingerprint, or a new one. It is resumed with respect to its files if any
// publish to the project was interrupted, because that publish may have sent a part of the same files.
func (a attempts) take(fingerprint string) *client.Attempt {
	made := client.NewAttempt()
	if a.folder == "" {
		return made
	}
	a.prune()
	file := a.file(fingerprint)
	if text, err := os.ReadFile(file); err == nil {
		var found client.Attempt
		if json.Unmarshal(text, &found) == nil && found.Key != "" {
			found.Resumed = true
			made = &found
		}
	}
	if others, err := filepath.Glob(filepath.Join(a.folder, a.of+"-*.json")); err == nil && len(others) > 0 {
		made.Resumed = true
	}
	made.Save = func(at *client.Attempt) error { return save(file, at) }
	return made
}

func (a attempts) file(fingerprint string) string {
	return filepath.Join(a.folder, a.of+"-"+short(fingerprint)+".json")
}

// save writes an attempt. Another process never reads a part of it.
func save(file string, at *client.Attempt) error {
	text, err := json.Marshal(at)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(file), "part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		_ = os.Remove(part.Name()) // otherwise it is pruned in a day
	}
	return err
}

// end forgets the attempt of a publish that has succeeded.
func (a attempts) end(fingerprint string) {
	if a.folder != "" {
		_ = os.Remove(a.file(fingerprint)) // otherwise it is pruned in a day
	}
}

// refused gives the next run of an attempt new keys, because the server would repeat its refusal for the old ones.
func (a attempts) refused(fingerprint string, at *client.Attempt) error {
	if a.folder == "" {
		return nil
	}
	at.Key = client.NewAttempt().Key
	return save(a.file(fingerprint), at)
}

// prune deletes attempts that are too old to resume.
func (a attempts) prune() {
	entries, err := os.ReadDir(a.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > attemptLife {
			_ = os.Remove(filepath.Join(a.folder, entry.Name()))
		}
	}
}
