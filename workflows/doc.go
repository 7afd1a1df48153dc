// Package workflows has Waft's Temporal workflows: rollouts, binary patches and webhook deliveries.
//
// Rollout is a loop: observe the release's health, plan with rollout.Plan, write the result, wait
// for the stage's end, a command or the watcher. Only this workflow changes an open execution, so
// commands are sent to it as updates. Client starts the workflows and sends them messages.
//
// Workflow code is replayed from history, possibly by a newer binary. So the names in contract.go,
// the JSON of payloads and the order of commands to Temporal must not change for rollouts under
// way; testdata/replay has recorded histories that check this.
package workflows
