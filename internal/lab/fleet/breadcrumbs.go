package fleet

import "time"

// breadcrumb is a step of the simulated user before an error.
type breadcrumb struct {
	Timestamp time.Time         `json:"timestamp"`
	Level     string            `json:"level"`
	Category  string            `json:"category"`
	Message   string            `json:"message"`
	Data      map[string]string `json:"data,omitempty"`
}

// breadcrumbsBefore returns what a user did in the basket before an error at that time, the oldest step first.
func breadcrumbsBefore(at time.Time) []breadcrumb {
	before := func(ms time.Duration, level, category, message string, data map[string]string) breadcrumb {
		return breadcrumb{at.Add(-ms * time.Millisecond).UTC().Truncate(time.Millisecond), level, category, message, data}
	}
	return []breadcrumb{
		before(9400, "info", "app", "foreground", nil),
		before(9100, "info", "navigation", "Home", nil),
		before(3800, "info", "ui.tap", "Basket", nil),
		before(3700, "info", "navigation", "Basket", map[string]string{"from": "Home", "to": "Basket"}),
		before(400, "warning", "http", "GET /basket", map[string]string{"status": "503", "attempt": "1"}),
		before(40, "info", "http", "GET /basket", map[string]string{"status": "200", "attempt": "2"}),
	}
}
