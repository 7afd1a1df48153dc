package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// VarProfile is the environment variable that names the profile.
const VarProfile = "WAFT_PROFILE"

// A Profile is a server with a project, and with a key or a session for it.
type Profile struct {
	URL     string `json:"url"`
	Project string `json:"project,omitempty"`
	APIKey  string `json:"apiKey,omitempty"`
	// Login is the session of `waft login --profile`.
	Login *Login `json:"login,omitempty"`
}

// Profiles are the profiles of a person, by name.
type Profiles struct {
	// Current is the profile of commands that do not name one, or "".
	Current  string             `json:"current,omitempty"`
	Profiles map[string]Profile `json:"profiles"`
}

// Names returns the names of the profiles in the order of the alphabet.
func (p Profiles) Names() []string { return slices.Sorted(maps.Keys(p.Profiles)) }

// Find returns a profile, or a usage error that lists the existing ones.
func (p Profiles) Find(name string) (Profile, error) {
	if found, ok := p.Profiles[name]; ok {
		return found, nil
	}
	fix := fmt.Sprintf("`waft profiles add %s --url … --project …` creates it", name)
	if names := p.Names(); len(names) > 0 {
		fix = "existing profiles: " + strings.Join(names, ", ") + "; " + fix
	}
	return Profile{}, Usagef("the profile %q does not exist; %s", name, fix)
}

var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckProfileName returns a usage error for a name that a profile cannot have.
func CheckProfileName(name string) error {
	if !profileName.MatchString(name) {
		return Usagef("%q cannot be the name of a profile: use up to 64 letters, digits, dots, underscores and hyphens", name)
	}
	return nil
}

// configFile returns the path of a file in waft's configuration folder.
func configFile(name string) (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", errors.New("your configuration folder is unknown; set XDG_CONFIG_HOME")
	}
	return filepath.Join(folder, "waft", name), nil
}

// LoadProfiles reads the file of profiles. Without the file it returns none. It refuses a file that other users of the
// machine can read, because the file contains keys and sessions.
func LoadProfiles() (Profiles, error) {
	none := Profiles{Profiles: map[string]Profile{}}
	path, err := configFile("profiles.json")
	if err != nil {
		return none, nil // a machine without a configuration folder does not have profiles
	}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return none, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 { // Windows has other permissions
		return none, fmt.Errorf("other users of this machine can read %s, which contains keys and sessions: run `chmod 600 '%s'`", path, path)
	}
	var stored Profiles
	if err := json.NewDecoder(file).Decode(&stored); err != nil {
		return none, fmt.Errorf("%s is not a file of profiles (%w): correct it, or delete it and run `waft profiles add`", path, err)
	}
	if stored.Profiles == nil {
		stored.Profiles = none.Profiles
	}
	return stored, nil
}

// Save replaces the file of profiles.
func (p Profiles) Save() error {
	path, err := configFile("profiles.json")
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(path, append(text, '\n'))
}

// lockTime is the maximum time to wait for another process that changes the profiles.
const lockTime = 10 * time.Second

// EditProfiles reads the file of profiles, changes it and saves it. Simultaneous changes wait for each other.
func EditProfiles(change func(*Profiles) error) (err error) {
	path, err := configFile("profiles.lock")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	lock := flock.New(path, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("cannot lock your profiles with %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	p, err := LoadProfiles()
	if err != nil {
		return err
	}
	if err := change(&p); err != nil {
		return err
	}
	return p.Save()
}

// writePrivate replaces a file that only its owner can read. A reader sees either the old or the new content.
func writePrivate(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// A new file does not inherit the permissions of an existing file.
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	if err == nil {
		err = temporary.Sync()
	}
	if err := errors.Join(err, temporary.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}
