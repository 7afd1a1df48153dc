// Package models is Waft's domain: its types, when one is valid, and which transitions are legal.
// It does no I/O. GORM tags map a field to its column in internal/store/pg/migrations.
//
// A type NewX is a request to create an X, and XPatch one to change the fields that are set. Their
// Validate reports every bad field in one Error with CodeInvalid.
package models
