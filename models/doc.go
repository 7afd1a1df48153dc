// Package models is Waft's domain: what a project, build, release, channel,
// rollout policy and rollout execution are, when one is valid, and which
// transitions are legal. It does no I/O and knows nothing of HTTP, Temporal or
// ClickHouse; GORM tags say only how a field maps to a column of the schema in
// store/migrations.
package models
