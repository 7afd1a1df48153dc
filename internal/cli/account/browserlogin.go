package account

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

const (
	// minInterval is the shortest time between two polls, whatever the server says.
	minInterval = time.Second
	// patience is the time after which waft stops to wait for a person. The server ends the code before.
	patience = 11 * time.Minute
	// maxHostName is the maximum length of the machine's name in bytes.
	maxHostName = 100
)

// errNotConfirmed is the error for a code that ended before the person confirmed it.
var errNotConfirmed = &command.SignInError{Err: errors.New("the code was not confirmed within ten minutes; run `waft login` again")}

// byBrowser begins a sign-in, shows its code and its page, and waits until a person confirms it there.
func byBrowser(cmd *cobra.Command, api *client.Waft, server string, open bool) (*command.Login, error) {
	begun, err := api.BeginTerminalLoginWithResponse(cmd.Context(), client.BeginTerminalBody{Name: hostName(os.Hostname())})
	if err != nil {
		return nil, err
	}
	if begun.JSON201 == nil {
		return nil, command.ErrNoRecord
	}
	page := pageFor(begun.JSON201.URL, server)
	out := cmd.ErrOrStderr()
	fmt.Fprintln(out, terminal.Plain("Confirm the sign-in in your browser: "+page))
	fmt.Fprintln(out, terminal.Plain("The page must show this code:        "+begun.JSON201.Code))
	if file, ok := out.(*os.File); open && ok && term.IsTerminal(file.Fd()) && hasBrowser(runtime.GOOS, os.Getenv) {
		if err := command.OpenBrowser(cmd.Context(), page); err != nil {
			fmt.Fprintln(out, terminal.Plain(fmt.Sprintf("The browser did not open (%v); open the address yourself.", err)))
		}
	}
	fmt.Fprintln(out, "Waiting until you confirm, for at most ten minutes.")
	return await(cmd.Context(), api, *begun.JSON201, server)
}

// await polls until the person has decided. It continues when the connection fails in the meantime.
func await(ctx context.Context, api *client.Waft, begun client.BegunTerminalLogin, server string) (*command.Login, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errNotConfirmed)
	defer cancel()
	interval := time.Duration(begun.IntervalSeconds) * time.Second
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(max(interval, minInterval)):
		}
		res, err := api.PollTerminalLoginWithResponse(ctx, client.PollTerminalBody{Secret: begun.Secret})
		var refusal *client.Error
		switch {
		case err == nil && res.JSON200 == nil:
			return nil, command.ErrNoRecord
		case err == nil && res.JSON200.User == nil: // still pending
		case err == nil:
			return sessionOf(res.HTTPResponse, server, res.JSON200.User.Email)
		case errors.As(err, &refusal) && refusal.Status == 429:
			interval = max(interval, refusal.RetryAfter)
		case errors.As(err, &refusal) && refusal.Code == models.CodeUnauthenticated:
			return nil, errNotConfirmed
		case errors.As(err, &refusal) && refusal.Status < 500, refusal == nil && !isLost(err):
			return nil, err
		}
	}
}

// isLost reports whether a request did not get its whole response.
func isLost(err error) bool {
	var away net.Error
	return errors.As(err, &away) || errors.Is(err, io.ErrUnexpectedEOF)
}

// pageFor returns the page as this machine reaches it. A server that does not know its public address names its own
// machine, which is another one here.
func pageFor(page, server string) string {
	at, err := url.Parse(page)
	own, err2 := url.Parse(server)
	if err != nil || err2 != nil || !isLocal(at.Hostname()) || isLocal(own.Hostname()) {
		return page
	}
	at.Scheme, at.Host = own.Scheme, own.Host
	return at.String()
}

func isLocal(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// hasBrowser reports whether a browser with windows can open here. Elsewhere xdg-open would start one in this terminal.
func hasBrowser(system string, env func(string) string) bool {
	return system == "darwin" || system == "windows" || env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}

// hostName returns the name of this machine for the list of sessions.
func hostName(name string, err error) string {
	name = strings.TrimSpace(terminal.Plain(strings.ToValidUTF8(name, "")))
	if err != nil || name == "" {
		return "an unknown machine"
	}
	return models.StorableText(name, maxHostName)
}
