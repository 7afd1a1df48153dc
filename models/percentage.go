package models

import "math"

// CheckPercentage notes a problem unless v is in 0–100 with at most three
// decimals, the resolution of a rollout bucket (a thousandth of a percent).
func CheckPercentage(p *Problems, field string, v float64) {
	switch {
	case math.IsNaN(v) || v < 0 || v > 100:
		p.Add(field, "must be a number from 0 to 100")
	case tooFine(v):
		p.Add(field, tooFineText)
	}
}

const tooFineText = "may have at most 3 decimals"

// tooFine reports whether a percentage has more than three decimals.
func tooFine(v float64) bool { return math.Abs(v*1000-math.Round(v*1000)) > 1e-6 }
