// Package e2e tests the whole server through its public API, on real engines, as a release engineer, a device and an
// operator use it.
package e2e
