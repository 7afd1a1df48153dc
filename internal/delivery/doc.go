// Package delivery decides what a device is served and renders it as the Expo
// Updates protocol, versions 0 and 1.
//
// A Snapshot is everything of one project that matters to devices, indexed and
// rendered once, then never changed: any number of requests read it without a
// lock. Nothing here does I/O or reads a clock.
//
// A stock client keeps what it stored, orders it by commit time and refuses what
// is older. So that the rules hold on it from one cold start to the next, every
// answer carries manifest filters, which the client remembers: the branch, and
// each release of that branch which the device may still hold but must not run
// (see filters.go).
package delivery
