package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/waft-ota/waft/internal/cli/command"
)

// expoApp is an Expo app as the files in its folder describe it.
type expoApp struct {
	dir string
	// file is the name of the file with the configuration.
	file string
	// dynamic is true if the file is a program, which waft cannot edit.
	dynamic bool
	// text is the content of a file that is not dynamic.
	text []byte
	// config is the configuration: the member expo of app.json, or what Expo's CLI prints for a dynamic file. It is nil if
	// Expo's CLI did not print it, for the reason unread.
	config map[string]any
	unread error
	// prefix is the path of config in text.
	prefix []string
}

// staticFiles and dynamicFiles are the names of configuration files, in the order in which Expo looks for them.
var (
	dynamicFiles = []string{"app.config.ts", "app.config.mts", "app.config.cts", "app.config.js", "app.config.mjs", "app.config.cjs"}
	staticFiles  = []string{"app.config.json", "app.json"}
)

// errNoApp is the error for a folder without an Expo app.
var errNoApp = errors.New("this folder has no Expo app")

// openApp reads the app in a folder. It returns errNoApp if the folder does not have one.
func openApp(ctx context.Context, dir string) (*expoApp, error) {
	a := &expoApp{dir: dir}
	manifest, err := readObject(filepath.Join(dir, "package.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoApp
	}
	if err != nil {
		return nil, err
	}
	if !dependsOn(manifest, "expo") {
		return nil, errNoApp
	}
	for _, name := range slices.Concat(dynamicFiles, staticFiles) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			a.file, a.dynamic = name, slices.Contains(dynamicFiles, name)
			break
		}
	}
	switch {
	case a.file == "":
		return nil, fmt.Errorf("%w: it has no app.json or app.config.js", errNoApp)
	case a.dynamic:
		a.config, a.unread = evaluate(ctx, dir)
		return a, nil
	}
	return a, a.readStatic()
}

// readStatic reads the configuration from a file of JSON.
func (a *expoApp) readStatic() (err error) {
	path := filepath.Join(a.dir, a.file)
	if a.text, err = os.ReadFile(path); err != nil {
		return err
	}
	var whole map[string]any
	if err := json.Unmarshal(a.text, &whole); err != nil {
		// Expo accepts JSON5 too: comments, and commas behind the last member.
		return command.Usagef("%s is not JSON: %w; remove comments and trailing commas", path, err)
	}
	a.config = whole
	if inner, ok := whole["expo"].(map[string]any); ok {
		a.config, a.prefix = inner, []string{"expo"}
	}
	return nil
}

// evaluate returns the configuration as Expo's CLI prints it, with the changes of config plugins.
func evaluate(ctx context.Context, dir string) (map[string]any, error) {
	program := inModules(dir, filepath.Join(".bin", "expo"))
	if program == "" {
		return nil, errors.New("the CLI of Expo is not installed; run `npm install`")
	}
	cmd := exec.CommandContext(ctx, program, "config", "--json")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CI=1", "EXPO_OFFLINE=1", "EXPO_NO_TELEMETRY=1")
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("`npx expo config --json` failed: %w", err)
	}
	var config map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("`npx expo config --json` did not print JSON: %w", err)
	}
	return config, nil
}

// installed returns the version of a package that Node.js finds from the app's folder, or "".
func (a *expoApp) installed(name string) string {
	path := inModules(a.dir, filepath.Join(filepath.FromSlash(name), "package.json"))
	if path == "" {
		return ""
	}
	manifest, err := readObject(path)
	if err != nil {
		return ""
	}
	version, _ := manifest["version"].(string)
	return version
}

// inModules returns the path of a file in the node_modules of a folder or of a folder above it, or "".
func inModules(dir, name string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		path := filepath.Join(dir, "node_modules", name)
		if _, failed := os.Stat(path); failed == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

// hasNativeFolders reports whether the native projects are in the app's folder. Expo's tools then do not write them before each build.
func (a *expoApp) hasNativeFolders() bool {
	for _, name := range []string{"ios", "android"} {
		if info, err := os.Stat(filepath.Join(a.dir, name)); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

func dependsOn(manifest map[string]any, name string) bool {
	for _, kind := range []string{"dependencies", "devDependencies"} {
		if names, ok := manifest[kind].(map[string]any); ok && names[name] != nil {
			return true
		}
	}
	return false
}

func readObject(path string) (object map[string]any, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object: %w", path, err)
	}
	return object, nil
}

// at returns a value inside of JSON objects, or nil.
func at(value any, path ...string) any {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// textAt returns a string inside of JSON objects, or "".
func textAt(value any, path ...string) string {
	text, _ := at(value, path...).(string)
	return text
}
