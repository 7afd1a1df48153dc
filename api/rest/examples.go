package rest

import "time"

// Values for the examples in the document.
const (
	ExampleSlug = "demo"
	ExampleUUID = "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a"
	ExampleMD5  = "9e107d9d372bb6826bd81d3542a419d6"
)

// ExampleTime is the time in the document's examples.
var ExampleTime = Time{time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC)}
