package models

// FlagHealth is the health of devices under a flag: all of them, each counting once,
// and by variation and channel.
type FlagHealth struct {
	DeviceCounts
	Variations []VariationHealth
}

// VariationHealth is the health of devices under one variation on one channel.
type VariationHealth struct {
	// Variation is the value as devices report it.
	Variation string
	Channel   string
	DeviceCounts
}

// Others sums the counts of the flag's other variations on the same channel.
func (h FlagHealth) Others(of VariationHealth) DeviceCounts {
	var others DeviceCounts
	for _, v := range h.Variations {
		if v.Channel == of.Channel && v.Variation != of.Variation {
			others = others.Plus(v.DeviceCounts)
		}
	}
	return others
}
