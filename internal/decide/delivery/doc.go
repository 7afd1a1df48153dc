// Package delivery resolves which release a device gets and renders it as the Expo Updates
// protocol, versions 0 and 1.
//
// A Snapshot holds everything of one project that answers depend on. It is indexed and rendered
// once and then never changes, so that any number of requests read it without a lock. The
// package does no I/O and reads no clock.
//
// A stock client keeps the updates that it downloaded, orders them by commit time and refuses
// older ones. So every answer carries manifest filters, which the client remembers until its
// next check (see filters.go).
package delivery
