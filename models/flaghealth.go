package models

// FlagHealth is how devices fared under a flag: all of them, a device counting once,
// and by variation and channel.
type FlagHealth struct {
	Fare
	Variations []VariationHealth
}

// VariationHealth is how devices fared under one variation on one channel.
type VariationHealth struct {
	// Variation is the value as devices report it.
	Variation string
	Channel   string
	Fare
}

// Others are the fares of the flag's other variations on the same channel, added up.
func (h FlagHealth) Others(of VariationHealth) Fare {
	var others Fare
	for _, v := range h.Variations {
		if v.Channel == of.Channel && v.Variation != of.Variation {
			others = others.Plus(v.Fare)
		}
	}
	return others
}
