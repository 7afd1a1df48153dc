package main

import (
	"fmt"
	"math"
)

// agree fails unless all peers decide in the same way. For people who match a rule, or whose flag is off, the value must be the
// same. For all others the flag must be on for the same percentage of people, because each peer has its own hash.
func agree(peers []peer, people int) error {
	for _, p := range peers {
		inShare, on := 0, 0
		for i := range people {
			person, of := personOf(i)
			is, err := evaluate(p, person, flagOn)
			if err != nil {
				return err
			}
			if of == byShare {
				inShare++
				if is {
					on++
				}
			} else if !is {
				return fmt.Errorf("%s: the flag is off for %+v", p.name, person)
			}
			if is, err = evaluate(p, person, flagOff); err != nil {
				return err
			}
			if is {
				return fmt.Errorf("%s: the flag that is off is on for %+v", p.name, person)
			}
		}
		share := float64(percentage) / 100
		n := float64(inShare)
		if sigma := math.Sqrt(n * share * (1 - share)); math.Abs(float64(on)-n*share) > 4*sigma {
			return fmt.Errorf("%s: the flag is on for %d of %d in a share of %d %%", p.name, on, inShare, percentage)
		}
		fmt.Printf("%-24s %d of %d people on, %.2f %% in the share of %d %%\n", p.name, people-inShare+on, people, 100*float64(on)/n, percentage)
	}
	return nil
}

func evaluate(p peer, of person, flag string) (bool, error) {
	evaluation, err := p.prepare(of, flag)
	if err != nil {
		return false, fmt.Errorf("%s: %w", p.name, err)
	}
	return evaluation(), nil
}
