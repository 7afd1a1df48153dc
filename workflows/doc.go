// Package workflows contains Waft's Temporal workflows: rollouts, approvals, binary patches, compressed files, webhook
// deliveries and mails.
//
// Rollout is a loop. It observes the release's health, plans with rollout.Plan, writes the result, and waits for the
// stage's end, a command or the watcher. While a rollout is open, normally only this workflow changes it, so commands are
// sent to the workflow as updates. Client starts the workflows and sends them messages.
//
// Temporal replays workflow code from its history, possibly with a newer binary. The names in contract.go, the JSON of
// payloads and the order of commands to Temporal must therefore not change for rollouts under way. The tests check this
// with the recorded histories in testdata/replay.
//
// # Signals
//
// A signal without a payload only means that there is something new in Postgres. A workflow that receives several such
// signals therefore reads Postgres once.
package workflows
