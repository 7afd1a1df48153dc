// Package restorestore settles the records of a restored backup. The records are as they were at the moment of the
// backup. Since then, devices, browsers, caches and receivers have seen newer numbers, and Temporal is empty. Settle
// therefore moves every number that must not repeat, pauses rollouts, ends sessions, and starts the work again that
// waits in Temporal.
package restorestore
