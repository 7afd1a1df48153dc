package command

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
)

// OpenBrowser opens a web page in the browser of the person. It accepts only http and https addresses, because the
// programs that it runs would open files and other programs too.
func OpenBrowser(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http or https address", address)
	}
	name, args := browserCommand(runtime.GOOS, u.String())
	opener := exec.CommandContext(context.WithoutCancel(ctx), name, args...) // it may outlive waft
	if err := opener.Start(); err != nil {
		return err
	}
	go func() { _ = opener.Wait() }() // a browser that fails shows its own error
	return nil
}

// browserCommand returns the program of an operating system that opens a web page, without a shell.
func browserCommand(system, address string) (name string, args []string) {
	switch system {
	case "darwin":
		return "open", []string{address}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	return "xdg-open", []string{address}
}
