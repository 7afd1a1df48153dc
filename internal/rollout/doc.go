// Package rollout holds the decisions of a staged rollout as pure functions:
// which devices a share holds, how strongly reported health speaks against a
// release, and what a rollout does next.
//
// Nothing here reads a clock, draws a random number or depends on the order of a
// map: time and health are arguments. So the same code runs inside a workflow,
// where a replay has to come to the same answer, and in a simulation of thousands
// of rollouts.
package rollout
