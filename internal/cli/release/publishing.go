package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// prepare makes the export if that is asked for, fills in defaults, and runs the checks that are possible before the upload. It asks the
// server and git while it reads the files, and does not wait until git has compared the files of the repository.
func (o *publishOptions) prepare(c command.Call) (prepared *client.Prepared, err error) {
	if o.Platforms, err = parsePlatforms(o.platform); err != nil {
		return nil, err
	}
	var found error
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		found = o.lookUp(c)
	}()
	if o.export {
		if <-asked; found != nil { // before an export of minutes
			return nil, found
		}
		if err := o.exportApp(c); err != nil {
			return nil, err
		}
	}
	if !c.JSON { // the record does not have the number
		o.compared = compareFiles(c.Context(), o.Dir)
	}
	described := make(chan struct{})
	go func() {
		defer close(described)
		o.takeFromGit(c)
	}()
	prepared, err = o.read(c.Context())
	<-asked
	if err = cmp.Or(err, found); err == nil {
		err = c.API.CheckPrepared(c.Context(), prepared)
	}
	<-described
	if err != nil {
		return nil, err
	}
	o.Upload.Message = o.Message
	prepared.Publication = o.Publication
	return prepared, nil
}

// exportApp runs the export. Its output goes to the standard error, because the standard output has the result.
func (o *publishOptions) exportApp(c command.Call) error {
	app, err := filepath.Abs(o.app)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	return exporter{app, out, o.Platforms, c.ErrOrStderr(), managerOf(app)}.export(c.Context())
}

// read reads the export.
func (o *publishOptions) read(ctx context.Context) (*client.Prepared, error) {
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		return nil, command.Usagef("folder %s does not exist: export the app with `waft publish --export`, "+
			"or name the output of `npx expo export`", o.Dir)
	}
	var err error
	if o.Upload.RuntimeVersion == "" {
		if o.Upload.RuntimeVersion, err = configuredRuntime(o.Dir); err != nil {
			return nil, explainRead(err, o.Dir)
		}
	}
	for _, p := range o.Platforms {
		if e, err := client.OpenExport(o.Dir, p); err == nil && len(e.SourceMaps) == 0 { // Prepare returns the error
			o.withoutMap = append(o.withoutMap, p)
		}
	}
	of := client.Publication{Dir: o.Dir, Platforms: o.Platforms}
	prepared, err := of.Prepare(ctx)
	return prepared, explainRead(err, o.Dir)
}

// lookUp finds the records that the flags name.
func (o *publishOptions) lookUp(c command.Call) error {
	channel, err := c.API.FindChannel(c.Context(), o.Channel)
	if err != nil {
		return err
	}
	if channel == nil {
		return command.NotFoundf("channel %q does not exist in this project; `waft channels list` lists them", o.Channel)
	}
	if o.policy != "" {
		if o.PolicyID, err = command.PolicyOf(c, o.policy); err != nil {
			return err
		}
	}
	o.LinkedFlags, err = flagLinks(c, o.links)
	return err
}

// send sends what is missing and publishes. It continues a publish that was interrupted.
func (o *publishOptions) send(c command.Call, p *client.Prepared) error {
	fingerprint, err := p.Fingerprint()
	if err != nil {
		return err
	}
	kept := attemptsOf(c.URL, c.Project)
	attempt := kept.take(fingerprint)
	hint := func(line string) {
		if line != "" && !c.JSON {
			fmt.Fprintln(c.ErrOrStderr(), terminal.Plain(line))
		}
	}
	stored := !attempt.Begun.IsZero()
	note := func(err error) { // only resuming needs the file
		stored = err == nil
		if err != nil {
			hint("if this publish is interrupted, the next one begins again, because it cannot be noted: " + err.Error())
		}
	}
	if keep := attempt.Save; keep != nil {
		attempt.Save = func(a *client.Attempt) error {
			note(keep(a))
			return nil
		}
	}
	if stored {
		hint("continuing the publish that began at " + attempt.Begun.UTC().Format(command.Stamp))
	}
	var sent client.Transfer
	p.Upload.Sent = func(t client.Transfer) { sent = t }
	ended := func() {}
	if !c.JSON {
		shown := newProgress(c.ErrOrStderr())
		p.Upload.Sending, p.Upload.Progress, ended = shown.begin, shown.sent, shown.end
	}
	updates, err := c.API.PublishPrepared(c.Context(), p, attempt)
	ended()
	hint(o.uncommittedLine())
	var pending *client.PendingError
	switch {
	case err == nil, errors.As(err, &pending):
		kept.end(fingerprint)
	case refusedForGood(err):
		note(kept.refused(fingerprint, attempt))
	case stored:
		hint("the same command continues where this one stopped")
	}
	return errors.Join(published(c, *o, updates, sent), explainRead(err, o.Dir))
}

// refusedForGood reports whether the server has understood and refused a call, so that the same call fails again.
func refusedForGood(err error) bool {
	var refused *client.Error
	return errors.As(err, &refused) && refused.Status >= http.StatusBadRequest && refused.Status < http.StatusInternalServerError &&
		refused.Status != http.StatusTooManyRequests
}
