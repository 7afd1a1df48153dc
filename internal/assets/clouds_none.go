//go:build !clouds

package assets

// otherClouds says that this build does not support other clouds: see clouds.go.
const otherClouds = false

// asStored does nothing: only Google's client decompresses objects.
func asStored(func(any) bool) error { return nil }
