package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// The amount of work of the property test: enough for every pair of operations to meet.
const (
	operators = 12
	// Operators do bursts of a few kinds of operations. In one burst, all operators do the same kinds, so that these
	// meet. Every kind occurs once per pass.
	passes           = 3
	kindsOfABurst    = 6
	burstEach        = 10
	propertyTestTime = 10 * time.Minute
	// An operator uses an ID of any project once in foreignIDsOneIn times.
	foreignIDsOneIn = 20
	// maxIdle is the maximum number of kinds of operations that may never succeed in one run.
	maxIdle = 4
)

// TestInvariantsHoldUnderRandomConcurrentOperations lets operators do anything that the management API allows, at the
// same time and with colliding names, and then looks for violated invariants. The machine decides the order, so a seed
// does not exactly repeat a failure; the audit log has the order.
func TestInvariantsHoldUnderRandomConcurrentOperations(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	seed := enginetest.FreshSeed(t)
	ctx, cancel := context.WithTimeout(t.Context(), propertyTestTime)
	defer cancel()
	known := &records{ids: map[string][]int64{}, owners: map[int64]int64{}}
	projects := []models.Project{f.Demo, f.NewProject("other")}

	var all sync.WaitGroup
	tallies := make([]map[string]int, operators)
	failures := make([]error, operators)
	for i := range operators {
		all.Go(func() {
			o := &operator{
				Store: f, ctx: ctx, Rand: rand.New(rand.NewPCG(seed, uint64(i+1))), known: known,
				project: projects[i%len(projects)], tally: map[string]int{},
			}
			tallies[i] = o.tally
			for _, burst := range bursts(seed) {
				for range burstEach {
					if failures[i] = o.operate(burst); failures[i] != nil {
						return
					}
				}
			}
		})
	}
	all.Wait()
	for _, err := range failures {
		require.NoError(t, err, "seed %d", seed)
	}
	storetest.RequireInvariants(f)
	total := map[string]int{}
	for _, tally := range tallies {
		for name, n := range tally {
			total[name] += n
		}
	}
	idle := map[string]bool{}
	for _, op := range operations {
		if total[op.name] == 0 {
			idle[op.name] = true
		}
	}
	require.LessOrEqual(t, len(idle), maxIdle, "too many kinds of operations never succeeded and so prove nothing: %v; seed %d, %v", idle, seed, total)
}

// records contains the IDs of records that operators have created or found, by kind. Some of the records may have been
// deleted.
type records struct {
	mu  sync.Mutex
	ids map[string][]int64
	// owners maps rules to their flags.
	owners map[int64]int64
}

func (r *records) own(id, owner int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owners[id] = owner
}

func (r *records) ownerOf(id int64) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.owners[id]
}

func (r *records) learn(key string, id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids[key] = append(r.ids[key], id)
}

func (r *records) pick(key string, rng *rand.Rand) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := r.ids[key]
	if len(ids) == 0 {
		return 1 << 40
	}
	// Recent records mostly still exist.
	recent := ids[max(0, len(ids)-8):]
	return recent[rng.IntN(len(recent))]
}

// operator does random operations in one project.
type operator struct {
	Store *storetest.Fixture
	ctx   context.Context
	*rand.Rand
	known   *records
	project models.Project
	// followed is the ID of the last outbox message that follow has read.
	followed int64
	// content is the content of the present call in TestPreviewsSayWhatThenHappens.
	content content
	// tally counts the successful operations.
	tally map[string]int
}

// bursts returns the same bursts for everyone who has the same seed.
func bursts(seed uint64) (all [][]operation) {
	rng := rand.New(rand.NewPCG(seed, 0))
	shuffled := slices.Clone(operations)
	for range passes {
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		all = append(all, slices.Collect(slices.Chunk(slices.Clone(shuffled), kindsOfABurst))...)
	}
	return all
}

// operate does one random operation of a burst. A refusal is fine, but an error that a caller cannot do anything about
// is not.
func (o *operator) operate(burst []operation) error {
	op := burst[o.IntN(len(burst))]
	err := op.run(o)
	switch models.CodeOf(err) {
	case "":
		o.tally[op.name]++
		return nil
	case models.CodeInvalid, models.CodeNotFound, models.CodeAlreadyExists, models.CodeInUse, models.CodePolicyLocked,
		models.CodeRolloutInProgress, models.CodeInvalidTransition, models.CodeGoalDisabled:
		return nil
	default:
		return fmt.Errorf("%s: %w", op.name, err)
	}
}
