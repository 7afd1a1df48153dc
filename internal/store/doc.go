// Package store keeps Waft's records in Postgres: projects, builds, releases,
// rollout policies and executions, the audit log, the outbox. GORM maps rows to
// package models; the schema belongs to the SQL files in migrations.
//
// Every change is one transaction that also writes its audit entry, its outbox
// messages and, when devices could notice, the project's next snapshot version.
// Such a transaction first locks the project's row, so that the changes of one
// project happen one after the other and need no other lock. Store.change does
// that, and the next snapshot version.
//
// Methods return errors of package models for everything that a caller can mend
// or should wait out; errors.go is where they are made from Postgres's.
package store
