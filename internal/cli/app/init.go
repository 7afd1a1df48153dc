package app

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// initOptions are the flags of `waft init`.
type initOptions struct{ dir, channel, deviceURL string }

// initResult is the output of `waft init --json`.
type initResult struct {
	// Configured is true if the app needed no change.
	Configured bool `json:"configured"`
	// Applied is true if the files were written.
	Applied    bool          `json:"applied"`
	File       string        `json:"file"`
	UpdatesURL string        `json:"updatesUrl"`
	Channel    string        `json:"channel"`
	Changes    []initChanged `json:"changes"`
	// Paste is an object of JavaScript that a person has to put into a file that waft cannot edit.
	Paste string   `json:"paste,omitempty"`
	Notes []string `json:"notes"`
}

type initChanged struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// Init returns the command that makes an Expo app get its updates from the server.
func Init(s *command.Settings) *cobra.Command {
	var o initOptions
	cmd := s.Calling("init", "Configure an Expo app to get its updates from the server", func(c command.Call) error {
		if err := command.NotEmpty(c.Command, "app", "channel", "device-url"); err != nil {
			return err
		}
		return o.run(c)
	})
	cmd.Long = "init writes the URL of the updates, the channel, a policy for the runtime version and, if the project signs its\n" +
		"releases, the certificate. With the package @waft/expo it writes the settings of its config plugin.\n" +
		"The command shows the changes first, and asks. It changes app.json and keeps everything else in it; for an\n" +
		"app.config.js or app.config.ts it prints what to paste. Build the app again afterwards: the settings are part of a build."
	cmd.Example = "  cd my-app && waft init --url https://ota.example.com --project shop\n" +
		"  waft init --app apps/mobile --channel beta --yes"
	f := cmd.Flags()
	f.StringVar(&o.dir, "app", ".", "folder of the Expo app")
	f.StringVar(&o.channel, "channel", "", "channel of the app; default: the channel in the app, "+
		"in eas.json for production builds, or production")
	f.StringVar(&o.deviceURL, "device-url", "", "address of the server as devices reach it; default: --url")
	return cmd
}

func (o initOptions) run(c command.Call) error {
	app, err := openApp(c.Context(), o.dir)
	if err != nil {
		return withoutApp(err, o.dir)
	}
	channels := easChannels(o.dir)
	t := target{
		server: cmp.Or(o.deviceURL, c.URL), project: c.Project, hasPlugin: app.installed(pluginName) != "",
		channel: cmp.Or(o.channel, settingsOf(app.config).channel, productionChannel(channels), defaultChannel),
	}
	signing, err := c.API.GetCodeSigningWithResponse(c.Context(), &client.GetCodeSigningParams{})
	if err != nil {
		return err
	}
	t.signing = signing.JSON200
	result := initResult{
		File: app.file, UpdatesURL: updatesURL(t.server, t.project), Channel: t.channel, Changes: []initChanged{}, Notes: []string{},
	}
	var files []change
	if t.signing != nil {
		var notes []string
		files, notes = planCertificate(app, &t)
		result.Notes = append(result.Notes, notes...)
	}
	edits := plan(app.config, t)
	if !app.dynamic {
		after, err := editConfig(app, edits)
		if err != nil {
			return err
		}
		files = append(files, change{filepath.Join(app.dir, app.file), app.text, after})
	} else if len(edits) > 0 {
		if result.Paste, err = paste(edits); err != nil {
			return err
		}
	}
	found, err := notesOf(c, app, t, channels)
	if err != nil {
		return err
	}
	result.Notes = append(result.Notes, found...)
	return finish(c, result, changed(files))
}

// withoutApp explains what to do in a folder without an Expo app.
func withoutApp(err error, dir string) error {
	if !errors.Is(err, errNoApp) {
		return err
	}
	text := "run this in the app's folder, or name the folder with --app"
	if found := codePushFiles(dir); len(found) > 0 {
		text = "install Expo's modules into the React Native app (`npx install-expo-modules@latest`, `npx expo install expo-updates`), " +
			"and run this again. " + codePushNotes(found)[0]
	}
	return command.Usagef("%w: %s", err, text)
}

// editConfig returns the configuration file with the edits.
func editConfig(app *expoApp, edits []edit) ([]byte, error) {
	for i, e := range edits {
		edits[i].path = append(append([]string{}, app.prefix...), e.path...)
	}
	after, err := applyEdits(app.text, edits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", app.file, err)
	}
	return after, nil
}

// paste returns the members that a dynamic configuration must contain, as an object of JavaScript.
func paste(edits []edit) (string, error) {
	for i, e := range edits {
		if e.path[0] == "plugins" && len(e.path) > 2 { // a setting of an entry that is there
			edits[i].path = []string{"plugins", "-", "-"}
			edits[i].value = []any{pluginName, map[string]any{e.path[3]: e.value}}
		} else if e.path[0] == "plugins" {
			edits[i].path = []string{"plugins", "-"}
		}
	}
	text, err := applyEdits([]byte("{}"), edits)
	return string(text), err
}

// notesOf returns facts about the app that the changes do not show.
func notesOf(c command.Call, app *expoApp, t target, channels []profileChannel) (notes []string, err error) {
	if app.dynamic && app.unread != nil {
		notes = append(notes, fmt.Sprintf("%s could not be read (%v), so it is unknown what it contains already.", app.file, app.unread))
	}
	if app.installed("expo-updates") == "" {
		notes = append(notes, "expo-updates is not installed; run `npx expo install expo-updates`.")
	}
	if t.signing == nil && textAt(app.config, "updates", "codeSigningCertificate") != "" {
		notes = append(notes, "The app has a code signing certificate, but the project does not sign, so devices will refuse its updates. "+
			"Upload the key (see `waft codesign --help`), or remove updates.codeSigningCertificate.")
	}
	notes = append(notes, easNotes(app.config, channels)...)
	notes = append(notes, codePushNotes(codePushFiles(app.dir))...)
	if strings.HasPrefix(t.server, "http://") {
		notes = append(notes, t.server+" is not https. Release builds refuse http; name the address for devices with --device-url.")
	}
	if app.hasNativeFolders() {
		notes = append(notes, "The app has native projects. Run `npx expo prebuild`, which writes the settings into them.")
	}
	channel, err := c.API.FindChannel(c.Context(), t.channel)
	if err == nil && channel == nil {
		notes = append(notes, fmt.Sprintf("Channel %s does not exist in project %s; create it with `waft channels create %s`.",
			t.channel, t.project, t.channel))
	}
	return notes, err
}

// finish shows the changes, asks, and writes them.
func finish(c command.Call, result initResult, files []change) error {
	for _, f := range files {
		path := filepath.ToSlash(f.path)
		result.Changes = append(result.Changes, initChanged{path, udiff.Unified(path, path, string(f.before), string(f.after))})
	}
	result.Configured = len(files) == 0 && result.Paste == ""
	var err error
	if !c.JSON {
		if err := printInit(c, result); err != nil {
			return err
		}
	}
	if len(files) > 0 {
		if err = c.Confirm("Write these changes?"); err == nil {
			err = writeAll(files)
			result.Applied = err == nil
		}
	}
	switch {
	case err != nil:
		return err
	case c.JSON:
		return command.PrintRecord(c.OutOrStdout(), result)
	case result.Applied:
		return command.PrintLines(c.OutOrStdout(), []string{"The app is configured. Build it again: the settings are part of a build."})
	}
	return nil
}

func printInit(c command.Call, result initResult) error {
	var lines []string
	for _, ch := range result.Changes {
		lines = append(lines, strings.Split(strings.TrimRight(ch.Diff, "\n"), "\n")...)
	}
	if result.Paste != "" {
		lines = append(lines, "waft cannot edit "+result.File+". Make the configuration that it returns contain this:", "")
		lines = append(lines, strings.Split(result.Paste, "\n")...)
		lines = append(lines, "")
	}
	if result.Configured {
		lines = append(lines, fmt.Sprintf("Nothing to change: %s names %s and channel %s.", result.File, result.UpdatesURL, result.Channel))
	}
	if err := command.PrintLines(c.OutOrStdout(), lines); err != nil {
		return err
	}
	return printNotes(c.ErrOrStderr(), result.Notes)
}

func printNotes(out io.Writer, notes []string) error {
	var lines []string
	for _, n := range notes {
		lines = append(lines, "note: "+n)
	}
	return command.PrintLines(out, lines)
}

// change is a file that a command writes.
type change struct {
	path          string
	before, after []byte
}

// changed returns the files whose content differs.
func changed(all []change) (files []change) {
	for _, f := range all {
		if string(f.before) != string(f.after) {
			files = append(files, f)
		}
	}
	return files
}

func writeAll(files []change) error {
	for _, f := range files {
		if err := writeFile(f.path, f.after); err != nil {
			return err
		}
	}
	return nil
}

// writeFile replaces a file in one step, so that an interruption leaves the old or the new content. An existing file keeps its permissions.
func writeFile(path string, text []byte) error {
	mode := os.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".waft-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}
