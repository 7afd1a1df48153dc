package models

// FlagHealth is how devices fared under a flag: all of them, a device counting once,
// and by variation and channel.
type FlagHealth struct {
	DeviceCounts
	Variations []VariationHealth
}

// VariationHealth is how devices fared under one variation on one channel.
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
