package models

import (
	"slices"
	"time"
)

// BreadcrumbLevel is the severity of a breadcrumb.
type BreadcrumbLevel string

// Levels of breadcrumbs.
const (
	BreadcrumbDebug   BreadcrumbLevel = "debug"
	BreadcrumbInfo    BreadcrumbLevel = "info"
	BreadcrumbWarning BreadcrumbLevel = "warning"
	BreadcrumbError   BreadcrumbLevel = "error"
)

// Known reports whether Waft stores breadcrumbs with this level.
func (l BreadcrumbLevel) Known() bool {
	return slices.Contains([]BreadcrumbLevel{BreadcrumbDebug, BreadcrumbInfo, BreadcrumbWarning, BreadcrumbError}, l)
}

// Breadcrumb is something that happened in an app before an error or crash, such as a navigation. Category or Message is set.
type Breadcrumb struct {
	// At is a time by the device's clock, in whole milliseconds after 1970. It is the zero time if the device did not send it.
	At                time.Time
	Category, Message string
	Level             BreadcrumbLevel
	Data              Texts
}

// Size returns the number of bytes of the breadcrumb's strings.
func (b Breadcrumb) Size() int {
	size := len(b.Category) + len(b.Message)
	for _, text := range b.Data {
		size += len(text.Name) + len(text.Value)
	}
	return size
}
