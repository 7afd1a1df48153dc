package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// Login is the session that `waft login` saves.
type Login struct {
	// Server is the origin that the cookie belongs to.
	Server string `json:"server"`
	Email  string `json:"email"`
	// Cookie is the session cookie as name=value.
	Cookie string `json:"cookie"`
}

func (l *Login) Save() error {
	path := LoginFile(l.Server)
	if path == "" {
		return errors.New("the folder to save the session in is unknown; set XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	// A new file does not inherit the permissions of an existing file.
	temporary, err := os.CreateTemp(filepath.Dir(path), "session-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	if err := errors.Join(err, temporary.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return os.Rename(temporary.Name(), path)
}

// Origin returns the scheme and the host of a server's address.
func Origin(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	return u.Scheme + "://" + u.Host
}

// LoginFile returns the path of the saved session for a server, or "" if there is no configuration folder.
func LoginFile(server string) string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "waft", "session-"+url.QueryEscape(Origin(server))+".json")
}

// SavedLogin returns the saved session for a server, or nil if no session is saved.
func SavedLogin(server string) (*Login, error) {
	text, err := os.ReadFile(LoginFile(server))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l Login
	if err := json.Unmarshal(text, &l); err != nil || l.Server != Origin(server) {
		return nil, fmt.Errorf("%s is not a session saved by `waft login`: delete the file and sign in again", LoginFile(server))
	}
	return &l, nil
}
