// Package e2e drives the whole server through its public API, on the real
// engines: what a release engineer, a device and an operator would see.
package e2e
