package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

// terminalEscapes reports names that contain terminal escapes, and has the waft program print them.
func terminalEscapes(ctx context.Context, t *target) (string, error) {
	if t.cli == "" {
		return "", skipped("WAFT_CLI does not name a waft program")
	}
	p, r, err := t.projectWithRelease(ctx)
	if err != nil {
		return "", err
	}
	device := uuid.NewString()
	if _, err := p.manifest(ctx, device, home(0)); err != nil {
		return "", err
	}
	const marker = "escaping"
	// A title by OSC, a cleared screen, the clipboard by OSC 52, a C1 control, and a right-to-left override.
	evil := marker + "\x1b]0;owned\x07\x1b[2J\x1b]52;c;b3duZWQ=\x07\u009b31m\u202egnp.exe\u2066\r"
	status, err := p.report(ctx, r, device, home(0), object{
		"type": "crash", "count": 1, "message": evil, "errorName": evil, "stackTrace": "at " + evil, "tags": object{evil: evil},
		"breadcrumbs": []object{{"category": evil, "message": evil, "data": object{evil: evil}}},
	}, object{"type": "custom", "count": 1, "name": evil})
	if err != nil || status != http.StatusNoContent {
		return "", fmt.Errorf("the report gets %d: %w", status, err)
	}
	var shown string
	err = eventually(ctx, "waft does not show the event", func() (bool, error) {
		out, err := p.waft(ctx, "events", "--stacks")
		shown = out
		return strings.Contains(out, marker), err
	})
	if err != nil {
		return "", err
	}
	for _, r := range shown {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return "", broken(fmt.Sprintf("waft events prints %U to the terminal", r))
		}
	}
	return "waft events prints no control or bidi character of a report", nil
}

// waft runs the program and returns its output.
func (p *project) waft(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, p.cli, args...)
	cmd.Env = append(os.Environ(), "WAFT_URL="+p.url, "WAFT_PROJECT="+p.slug, "WAFT_API_KEY="+p.key)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("waft %s: %w: %s", strings.Join(args, " "), err, clip(out))
	}
	return string(out), nil
}
