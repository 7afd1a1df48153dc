// Package cli is the command waft, the release engineers' tool. Every command is
// one file; each talks to the server through package client only, and to the
// person through package terminal.
package cli
