// Package watch observes all open rollouts from outside their workflows.
//
// A Prompter runs where device reports come in and says which rollouts have news. A
// Watcher runs in every worker: it takes the prompts that no other watcher has taken,
// asks ClickHouse one question for all of them, shows the health in their rows, and
// wakes the workflows that would decide something else than their rows say. A woken
// workflow observes and decides by itself. So a rollout without news costs nothing,
// and one whose decision stays the same writes no history.
package watch
