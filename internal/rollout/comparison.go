package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Comparison is the evidence of a rollout's stages so far that rates are higher inside the share
// than in the control group, with an element for each alternative in ratios.
type Comparison models.Comparison

// With adds a stage with the health h since its beginning.
//
// Under equal rates an affected device is inside with the chance w = n/(n+m), for n devices inside
// and m outside. Under a rate that is r times higher inside, the chance is rw/(rw+1-w). Each stage
// has its own w, and the stages' likelihood ratios multiply (reference: Lindon and Malek,
// anytime-valid inference for multinomial count data; here with a few fixed alternatives in place
// of a prior).
func (c Comparison) With(h models.ComparedHealth) Comparison {
	in, out := h.Inside, h.Outside
	if in.Devices <= 0 || out.Devices <= 0 {
		return c
	}
	w := float64(in.Devices) / float64(in.Devices+out.Devices)
	for j, ratio := range ratios {
		q := ratio * w / (ratio*w + 1 - w)
		inside, outside := math.Log(q/w), math.Log((1-q)/(1-w))
		c.Errors[j] += float64(in.ErroredDevices)*inside + float64(out.ErroredDevices)*outside
		c.Crashes[j] += float64(in.CrashedDevices)*inside + float64(out.CrashedDevices)*outside
	}
	return c
}

// LogEvidence is the natural logarithm of how much likelier the counts are with a higher rate
// inside than with equal rates: the logarithm of an e-value, as the function LogEvidence is.
func (c Comparison) LogEvidence(m Metric) float64 {
	logs := c.Crashes
	if m == MetricErrorRate {
		logs = c.Errors
	}
	return logMean(logs[:])
}

// compare reads one metric inside the share beside the control group.
func compare(m Metric, h models.ComparedHealth) Reading {
	in, out := h.Inside.CrashedDevices, h.Outside.CrashedDevices
	if m == MetricErrorRate {
		in, out = h.Inside.ErroredDevices, h.Outside.ErroredDevices
	}
	return Reading{
		Metric: m, Affected: in, Devices: h.Inside.Devices,
		Rate: percentage(in, h.Inside.Devices), Limit: percentage(out, h.Outside.Devices),
		Outside: &Group{Affected: out, Devices: h.Outside.Devices},
	}
}

func percentage(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
