// Package models is Waft's domain model: its types, their validation and the allowed transitions. It does not do I/O. GORM tags map
// fields to the columns in internal/store/pg/migrations.
//
// A type NewX is a request to create an X; a type XPatch is a request to change the fields that are set. Their Validate methods
// report every invalid field in one Error with CodeInvalid.
package models
