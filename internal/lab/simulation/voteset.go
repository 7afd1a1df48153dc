package simulation

import (
	"cmp"
	"slices"

	"github.com/waft-ota/waft/models"
)

// voteSet counts networks by their votes. It is efficient because there are few different votes.
type voteSet struct {
	votes    []voteCount // in ascending order, each of at least one network
	networks int64
}

// voteCount is the number of networks with the same vote.
type voteCount struct {
	vote     float64
	networks int64
}

// count changes the number of networks with a vote.
func (s *voteSet) count(vote float64, by int64) {
	i, found := slices.BinarySearchFunc(s.votes, vote, func(v voteCount, vote float64) int { return cmp.Compare(v.vote, vote) })
	if !found {
		s.votes = slices.Insert(s.votes, i, voteCount{vote: vote})
	}
	if s.votes[i].networks += by; s.votes[i].networks == 0 {
		s.votes = slices.Delete(s.votes, i, i+1)
	}
	s.networks += by
}

// sum returns the sum of the votes.
func (s *voteSet) sum() (sum float64) {
	for _, v := range s.votes {
		sum += v.vote * float64(v.networks)
	}
	return sum
}

// addMost merges the largest votes, multiplied by weight, into the largest votes of a tally.
func (s *voteSet) addMost(t *models.Tally, weight float64) {
	left := int64(models.MaxLeftOut)
	for _, v := range slices.Backward(s.votes) {
		if v.vote == 0 {
			break // all remaining votes are 0
		}
		for n := min(v.networks, left); n > 0; n, left = n-1, left-1 {
			vote := v.vote * weight
			for i, most := range t.Most {
				if vote > most {
					t.Most[i], vote = vote, most
				}
			}
		}
	}
}
