// Package rollout makes the decisions of a rollout: which devices a share includes, how strongly
// observed health speaks against a release, and what the rollout does next. State and Transition are
// the state machine of a rollout, which its workflow follows.
//
// Its functions are pure: time and health are arguments, and nothing depends on chance or on the
// order of a map. So a workflow's replay gets the same answers, and the simulation runs the same
// code.
package rollout
