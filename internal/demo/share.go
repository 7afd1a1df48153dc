package demo

import (
	"fmt"
	"math"
)

// sigmas is how far a share may lie from its policy. Devices fall into a share
// like independent coin tosses, so a correct server fails such a check once in
// some 150,000 times (both tails of a normal distribution beyond 4.5).
const sigmas = 4.5

// shareBound is the fewest and the most of asked devices that a share of percent
// may hold.
func shareBound(asked int, percent float64) (fewest, most int) {
	p := percent / 100
	mean := float64(asked) * p
	// Half a device for the step from a continuous bound to whole devices.
	slack := sigmas*math.Sqrt(mean*(1-p)) + 0.5
	if p <= 0 || p >= 1 {
		slack = 0
	}
	return max(0, int(math.Ceil(mean-slack))), min(asked, int(math.Floor(mean+slack)))
}

// shareSeen is the sentence for a check of one stage's share.
func shareSeen(holders, asked int, percent float64) string {
	fewest, most := shareBound(asked, percent)
	return fmt.Sprintf("%d of %d devices that asked (%s), expected %d to %d",
		holders, asked, percentText(holders, asked), fewest, most)
}

func percentText(part, whole int) string {
	if whole == 0 {
		return "none asked"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
