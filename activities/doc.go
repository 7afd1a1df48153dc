// Package activities is the side of a workflow that touches the world: one
// activity a file, each a thin step between a workflow's plain values and the
// store or the telemetry. The interfaces they need are declared here.
//
// Every activity may run more than once for one step of a workflow, so each is
// safe to repeat: reads by nature, writes by the fence in their input.
package activities
