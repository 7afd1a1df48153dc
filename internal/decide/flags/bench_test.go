package flags

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// workload returns the flag that bench/flags measures. Its rules are a user list, attributes and a version, a
// country, and a share of 25%.
func workload(t testing.TB) *Flag {
	t.Helper()
	listed := make([]string, 100)
	for i := range listed {
		listed[i] = fmt.Sprintf("listed-%d", i)
	}
	countries := []string{"DE", "FR", "IT", "ES", "NL", "BE", "AT", "CH", "PL", "SE"}
	p := one(
		gives("1", users(listed...)),
		gives("1", where(
			models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}},
			models.Condition{Attribute: "runtimeVersion", Operator: models.OpSemverGte, Values: []string{"1.4.0"}},
			models.Condition{Attribute: "plan", Operator: models.OpIn, Values: []string{"pro", "team"}},
		)),
		gives("1", where(models.Condition{Attribute: "country", Operator: models.OpIn, Values: countries})),
		split("", models.RolloutShare{VariantValue: "1", Weight: 25}),
	)
	s, err := NewSet(p, nil)
	require.NoError(t, err)
	f, _ := s.Flag("f")
	return f
}

func BenchmarkFallThrough(b *testing.B) {
	benchmark(b, workload(b))
}

// BenchmarkSplit evaluates a rule that gives a share of the contexts that match its conditions.
func BenchmarkSplit(b *testing.B) {
	benchmark(b, func() *Flag {
		p := one(splits(where(
			models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}},
			models.Condition{Attribute: "runtimeVersion", Operator: models.OpSemverGte, Values: []string{"1.2.0"}},
			models.Condition{Attribute: "plan", Operator: models.OpIn, Values: []string{"pro", "team"}},
		), "", gets("1", 10), gets("2", 10)))
		s, err := NewSet(p, nil)
		require.NoError(b, err)
		f, _ := s.Flag("f")
		return f
	}())
}

func benchmark(b *testing.B, f *Flag) {
	b.Helper()
	contexts := make([]Context, 1024)
	for i := range contexts {
		contexts[i] = Context{
			TargetingKey: fmt.Sprintf("user-%08d", i), Platform: "ios", RuntimeVersion: "1.3.0",
			Attributes: attributes("plan", "pro", "country", "JP"),
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Evaluate(&contexts[i%len(contexts)])
	}
}
