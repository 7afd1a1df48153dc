// Package delivery resolves which release a device gets and renders it in the Expo Updates protocol, versions 0 and 1.
//
// A Snapshot holds everything in one project that responses to devices depend on. It is indexed and rendered once and
// never changes afterwards, so any number of requests can read it without a lock. The package does not do I/O and does
// not read the clock.
//
// A stock client keeps the updates that it downloaded, orders them by commit time and refuses older ones. Therefore
// every response carries manifest filters, which the client stores until its next check (see filters.go).
package delivery
