// Package restorestore settles the records of a restored backup. The records are as they were at the moment of the
// backup, but time went on: devices, browsers, caches and receivers have seen newer numbers, and Temporal is empty.
// Settle therefore moves every number that must not repeat, ends what must not continue by itself, and starts again
// what waits in Temporal.
package restorestore
