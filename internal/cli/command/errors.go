package command

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// UsageError is the error for wrong arguments and flags. It is found before anything is sent.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError. The message names the flag or argument, and what to write instead.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// NotFoundError is the error for a name that the command looked up and did not find.
type NotFoundError struct{ Err error }

func (e *NotFoundError) Error() string { return e.Err.Error() }
func (e *NotFoundError) Unwrap() error { return e.Err }

// NotFoundf returns a NotFoundError. The message names the command that lists the existing records.
func NotFoundf(format string, args ...any) error { return &NotFoundError{fmt.Errorf(format, args...)} }

// SignInError is the error for a command that has neither a key nor a session.
type SignInError struct{ Err error }

func (e *SignInError) Error() string { return e.Err.Error() }
func (e *SignInError) Unwrap() error { return e.Err }

// errNotConfirmed is the error for a reply other than yes.
var errNotConfirmed = errors.New("stopped, because the reply was not yes")

// Confirm asks a person whether to do what question describes. It returns nil after y or yes, and with --yes. Without a
// terminal it returns a usage error, because a reply is not possible.
func (c Call) Confirm(question string) error {
	if c.Yes {
		return nil
	}
	file, isFile := c.InOrStdin().(*os.File)
	if !isFile || !term.IsTerminal(file.Fd()) {
		return Usagef("use --yes to confirm without a terminal: %s", question)
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	reply, err := ReadLine(file)
	if err != nil {
		return err
	}
	if reply != "y" && reply != "yes" {
		return errNotConfirmed
	}
	return nil
}
