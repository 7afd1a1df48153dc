package api

import (
	"github.com/waft-ota/waft/internal/qvalue"
	"github.com/waft-ota/waft/models"
)

// encodingWeights are the weights in Accept-Encoding (RFC 9110, section 12.5.3) by the
// coding's name in lower case.
type encodingWeights map[string]float64

// unlisted is the weight of the uncompressed file if the client does not list it: below
// all that are listed.
const unlisted = 0.0001

const (
	identityCoding = "identity"
	anyCoding      = "*"
)

// readAcceptEncoding ignores malformed elements, such as those with parameters.
func readAcceptEncoding(values []string) encodingWeights {
	weights := encodingWeights{}
	for _, value := range values {
		for e := range qvalue.Elements(value) {
			if !e.Parameterized {
				weights[e.Name] = e.Weight
			}
		}
	}
	return weights
}

// of is the weight of an encoding; 0 means that it must not be sent.
func (w encodingWeights) of(e models.Encoding) float64 {
	name := string(e)
	if e == models.Identity {
		name = identityCoding
	}
	if weight, listed := w[name]; listed {
		return weight
	}
	if weight, listed := w[anyCoding]; listed {
		return weight
	}
	if e == models.Identity {
		return unlisted
	}
	return 0
}

// choose returns the encoding with the greatest weight, and of several the smallest. If
// the client accepts none, it returns Identity.
func (w encodingWeights) choose(b models.Blob) models.Encoding {
	best, bestWeight, bestSize := models.Identity, w.of(models.Identity), b.SizeBytes
	for _, e := range models.CompressedEncodings {
		size, there := b.Size(e)
		weight := w.of(e)
		if !there || weight == 0 || weight < bestWeight || weight == bestWeight && size >= bestSize {
			continue
		}
		best, bestWeight, bestSize = e, weight, size
	}
	return best
}
