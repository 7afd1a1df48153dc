// Package workflows drives rollouts as durable executions in Temporal.
//
// Rollout is one loop: observe the release's health, let rollout.Plan decide, write
// what follows, wait for the stage's end or for the watcher (package watch). It alone changes an open execution, so operators'
// commands go through it as updates and arrive one after the other. Client is how
// the rest of Waft starts it and talks to it.
//
// What workflow code does is replayed from history, possibly by a newer binary.
// Names in contract.go, the JSON of payloads and the order of commands to Temporal
// are therefore a contract with every rollout under way; testdata/replay holds
// recorded histories that hold us to it.
package workflows
