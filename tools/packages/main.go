// Command packages builds Waft's Debian packages from the description in .goreleaser.yaml, without GoReleaser.
//
//	packages prepare    writes what the packages contain besides binaries and files of the repository
//	packages build      compiles the binaries and builds the packages
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("packages", flag.ContinueOnError)
	root := flags.String("root", ".", "root of the repository")
	out := flags.String("out", "build/packages", "folder for the packages")
	version := flags.String("version", "", "version of the packages; the version of the source with -dev if empty")
	architectures := flags.String("arch", "amd64,arm64", "architectures, comma-separated")
	if len(args) == 0 {
		return errors.New("name what to do: prepare or build")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "prepare":
		return prepare(ctx, *root)
	case "build":
		if *version == "" {
			number, err := sourceVersion(*root)
			if err != nil {
				return err
			}
			*version = number + "-dev"
		}
		return build(ctx, *root, *out, *version, strings.Split(*architectures, ","))
	default:
		return fmt.Errorf("%q is unknown: name prepare or build", args[0])
	}
}
