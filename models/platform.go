package models

// Platform is the operating system that a build runs on.
type Platform string

// The platforms that Waft serves.
const (
	IOS     Platform = "ios"
	Android Platform = "android"
)

// Valid reports whether p is a platform that Waft serves.
func (p Platform) Valid() bool { return p == IOS || p == Android }
