package fleet

import "time"

// rateWindow is the time over which a rate is measured.
const rateWindow = 2 * time.Second

// RateMeter turns a growing count into a rate per second. The zero value is ready.
type RateMeter struct {
	samples []rateSample
}

type rateSample struct {
	count int64
	at    time.Time
}

// Update takes the count as it stands and answers the rate over the last window.
func (m *RateMeter) Update(count int64, now time.Time) float64 {
	m.samples = append(m.samples, rateSample{count, now})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= rateWindow {
		m.samples = m.samples[1:]
	}
	first := m.samples[0]
	if elapsed := now.Sub(first.at).Seconds(); elapsed > 0 {
		return float64(count-first.count) / elapsed
	}
	return 0
}
