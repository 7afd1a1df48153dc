// Package reports reads what devices and clients report: health reports and flag
// evaluations. Reading is pure: JSON to models values, and every bad field by its name. A
// Limiter bounds the distinct names that a project's reports bring.
package reports
