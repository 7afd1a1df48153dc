package main

import "fmt"

// The flags that every peer has: the same rules, once on and once off.
const (
	flagOn  = "checkout"
	flagOff = "checkout-off"
)

// The values in the rules.
var (
	platform   = "ios"
	atLeast    = "1.4.0"
	plans      = []string{"pro", "team"}
	countries  = []string{"DE", "FR", "IT", "ES", "NL", "BE", "AT", "CH", "PL", "SE"}
	listed     = numbered("listed", 100)
	percentage = 25
)

func numbered(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%06d", prefix, i)
	}
	return all
}

// person is the subject of evaluations.
type person struct{ id, platform, version, plan, country string }

// part is a rule that decides.
type part int

const (
	byList part = iota
	byAttributes
	byCountry
	byShare
)

// personOf returns the i-th of the people: each rule decides for a quarter of them, and the others almost match it.
func personOf(i int) (person, part) {
	of := part(i % 4)
	n := i / 4
	p := person{id: fmt.Sprintf("user-%08d", i), country: pick(n, "JP", "US", "BR", "DK", "de")}
	// Each lacks one of what the second rule wants.
	p.platform = pick(n, "ios", "android", "ios")
	p.version = pick(n, "1.3.9", "1.10.2", "2.0.0")
	p.plan = pick(n, "pro", "team", "free")
	switch of {
	case byList:
		p.id = listed[n%len(listed)]
	case byAttributes:
		p.platform, p.plan, p.version = platform, plans[n%len(plans)], pick(n, "1.4.0", "1.10.2", "2.0.0")
	case byCountry:
		p.country = countries[n%len(countries)]
	case byShare:
	}
	return p, of
}

func pick(n int, from ...string) string { return from[n%len(from)] }
