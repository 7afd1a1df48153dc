package rollout_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
)

// update rewrites docs/bucket-vectors.json: go test ./internal/decide/rollout -run Vectors -update.
// Do so only to add vectors; devices in the field rely on the existing ones.
var update = flag.Bool("update", false, "rewrite the published vectors")

const vectorsFile = "../../../docs/bucket-vectors.json"

type vectors struct {
	Formula    string           `json:"formula"`
	Buckets    []bucketVector   `json:"buckets"`
	Shares     []shareVector    `json:"shares"`
	Thresholds []thresholdValue `json:"thresholds"`
	Splits     []splitVector    `json:"splits"`
}

// splitVector is the entry of a flag's percentage_rollout that an ID gets, or nil.
type splitVector struct {
	FlagKey string    `json:"flagKey"`
	ID      string    `json:"id"`
	Weights []float64 `json:"weights"`
	Entry   *int      `json:"entry"`
}

type bucketVector struct {
	Salt   string `json:"salt"`
	ID     string `json:"id"`
	Bucket uint32 `json:"bucket"`
}

type thresholdValue struct {
	Percentage float64 `json:"percentage"`
	Threshold  uint32  `json:"threshold"`
}

type shareVector struct {
	bucketVector
	thresholdValue
	InShare bool `json:"inShare"`
}

func TestPublishedVectors(t *testing.T) {
	t.Parallel()
	want := computeVectors()
	if *update {
		text, err := json.MarshalIndent(want, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(vectorsFile, append(text, '\n'), 0o644))
	}
	text, err := os.ReadFile(vectorsFile)
	require.NoError(t, err)
	var published vectors
	require.NoError(t, json.Unmarshal(text, &published))
	require.Equal(t, want, published, "run: go test ./internal/decide/rollout -run Vectors -update")
}

func computeVectors() vectors {
	salts := []string{
		"release:8b0b1c1e-6d7a-4f7e-9a49-6d7d9f0c7a11",
		"release:00000000-0000-0000-0000-000000000000",
		"channel:demo/production",
		"flag:new-home",
		"",
	}
	ids := []string{
		"", "a", "ab", "abc", "abcd", "abcde", "device-1", "device-2",
		"0e984725-c51c-4bf4-9960-e1c80e27aba0", "user@example.com", "with:colon", " space ",
		"größe", "用户-7", "🚀", "e\u0301", "\u00e9", strings.Repeat("long-", 100),
	}
	percentages := []float64{0, 0.001, 0.07, 0.5, 1, 2.675, 5, 12.345, 25, 33.333, 50, 66.667, 99.999, 100}
	v := vectors{Formula: "bucket = (murmur3_32(seed 0, UTF-8 of salt + ':' + id) * 100000) >> 32; threshold = round(percentage * 1000); " +
		"in the share if threshold = 100000, or if id is not empty and bucket < threshold"}
	for _, p := range percentages {
		v.Thresholds = append(v.Thresholds, thresholdValue{Percentage: p, Threshold: rollout.Threshold(p)})
	}
	for _, salt := range salts {
		for _, id := range ids {
			v.Buckets = append(v.Buckets, bucketVector{Salt: salt, ID: id, Bucket: rollout.Bucket(salt, id)})
		}
	}
	for i, b := range v.Buckets {
		th := v.Thresholds[i%len(v.Thresholds)]
		v.Shares = append(v.Shares, shareVector{bucketVector: b, thresholdValue: th, InShare: rollout.InShare(b.Salt, b.ID, th.Percentage)})
	}
	for i, weights := range [][]float64{{25}, {10, 20.5, 0.001}, {33.333, 33.333, 33.334}, {100}} {
		for _, id := range ids {
			key := []string{"new-home", "checkout.v2"}[i%2]
			v.Splits = append(v.Splits, splitVector{key, id, weights, entry(key, id, weights)})
		}
	}
	return v
}

func entry(key, id string, weights []float64) *int {
	var end uint32
	for i, w := range weights {
		end += rollout.Threshold(w)
		if i == 0 && end == rollout.Buckets || id != "" && rollout.Bucket("flag:"+key, id) < end {
			return &i
		}
	}
	return nil
}
