// Package flags turns the feature flags of a project into what clients evaluate
// them by. Nothing here does I/O or reads a clock.
package flags
