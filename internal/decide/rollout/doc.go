// Package rollout makes the decisions of a rollout: which devices a rollout percentage includes, how strongly
// observed health speaks against a release, and what the rollout does next. State and Transition are the state machine
// that a rollout's workflow follows.
//
// The functions are pure: time and health are arguments, and results do not depend on chance or on the order of a
// map. Therefore the replay of a workflow gets the same results, and the simulation runs the same code.
//
// # Votes
//
// Anyone can invent device IDs, but few people control many networks. Rates are therefore computed from one vote per
// network (models.Votes), and the networks of one allocation have a limited number of votes together. A breach must
// hold without the most affected networks, and without the most affected allocation. A rate is within its threshold
// only if it also is without the healthy votes of any one allocation. So nobody who controls a single allocation can
// decide a rollout. With minNetworks 1, devices are counted instead of networks.
package rollout
