package e2e

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// chapter is the state of a rollout, independent of how it is presented.
type chapter struct {
	status, stage, percentage, waitingFor, reason string
}

// A rollout goes through holds, a pause and a rollback. After every step the record, the event stream, the terminal and
// Temporal's UI must agree.
func TestARolloutIsTheSameInEveryAnswer(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stable := p.release()
	p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
	policy := p.inStages(0, 0, 20, 40, 100)
	policy["stages"].([]object)[0]["thresholds"] = object{"action": "gate"} // with the policy's own action the rollout would roll back
	release, id := p.rollOut(policy)
	watchers := p.watch(env, release, id)
	watchers.agree(func(c chapter) bool { return c.status == "running" && c.percentage == "20" })

	members := p.inShareOf(release, 20, true, 9)
	p.run(members[:8], release["updateUuid"], "app_launch")
	p.awaitRollout(id, func(e object) bool { return health(e)["devices"] == 8.0 })
	p.run(members[8:], release["updateUuid"], "app_launch", "crash")
	held := watchers.agree(func(c chapter) bool { return c.waitingFor == "threshold" })
	require.Contains(t, held.reason, "Waiting for more networks to report")
	require.Contains(t, held.reason, "1 of 9 networks")

	// The fourth crash is enough evidence. Later crashes change only metrics and do not wake the workflow.
	p.run(members[:2], release["updateUuid"], "crash")
	p.awaitRollout(id, func(e object) bool { return health(e)["crashedDevices"] == 3.0 })
	p.run(members[2:3], release["updateUuid"], "crash")
	gated := watchers.agree(func(c chapter) bool {
		return strings.Contains(c.reason, "Waiting for the breach to end") && strings.Contains(c.reason, "4 of 9")
	})
	require.Equal(t, "threshold", gated.waitingFor)
	watchers.decided = gated.reason
	p.run(members[3:8], release["updateUuid"], "crash")
	watchers.agree(func(c chapter) bool { return strings.Contains(c.reason, "9 of 9") })
	watchers.decided = ""
	watchers.ui.awaitTimer("until the next observation, waiting for threshold")

	p.awaitCommand(id, "pause", object{"reason": "support is swamped"})
	paused := watchers.agree(func(c chapter) bool { return c.status == "paused" })
	require.Equal(t, "resume", paused.waitingFor)

	// The action of the next stage is a rollback, so its first observation rolls the release back.
	p.awaitCommand(id, "advance", object{"reason": "on with it"})
	ended := watchers.agree(func(c chapter) bool { return c.status == "rolled_back" })
	require.Equal(t, chapter{
		status: "rolled_back", stage: "2 of 3", percentage: "40",
		reason: "rolled back in stage 2 of 3 (40%): crash rate 100% breaches the threshold of 2% " +
			"(9 of 9 networks; 100% without the most affected network)",
	}, ended)

	e := p.rolloutNow(id)
	turns := []string{}
	for _, event := range e["timeline"].([]any) {
		turns = append(turns, event.(map[string]any)["event"].(string))
	}
	require.Equal(t, turns, watchers.ui.turns(), "Temporal's history must have the events of the timeline")
	require.ErrorContains(t, <-watchers.terminal.ended, "rolled back")
	for _, event := range e["timeline"].([]any) {
		require.Contains(t, watchers.terminal.text(), event.(map[string]any)["reason"])
	}
}

// watchers are all ways to follow a rollout.
type watchers struct {
	p        *tenant
	id       int64
	stream   <-chan object
	terminal *terminalWatch
	ui       *temporalUI

	last object // the last rollout in the stream
	// decided is the reason of the workflow's last decision, if that may be older than the reason in the record.
	decided string
}

func (p *tenant) watch(env map[string]string, release object, id int64) *watchers {
	p.t.Helper()
	return &watchers{p: p, id: id, stream: p.follow(id), terminal: p.watchInTerminal(id), ui: p.temporalUI(env, release, id)}
}

// agree waits until the record is as wanted and all watchers agree with it. Temporal shows the reason of the workflow's
// last decision. While a stage only waits for its time, the watcher updates the reason in the record without waking the
// workflow. It does the same when only the metrics of an existing breach change. In that case Temporal's reason may be
// w.decided.
func (w *watchers) agree(wanted func(chapter) bool) (record chapter) {
	t := w.p.t
	t.Helper()
	var streamed, printed, shown chapter
	await(t, waitLimit, atLeisure, func() bool {
		record = chapterOf(w.p.rolloutNow(w.id))
		for len(w.stream) > 0 {
			w.last = <-w.stream
		}
		streamed, printed, shown = chapterOf(w.last), w.terminal.chapter(), w.ui.chapter()
		if record.waitingFor == "duration" || w.decided != "" && shown.reason == w.decided {
			shown.reason = record.reason
		}
		return wanted(record) && streamed == record && printed == record && shown == record && w.ui.lists(record)
	}, "record %+v, stream %+v, terminal %+v, Temporal %+v", &record, &streamed, &printed, &shown)
	return record
}

// chapterOf returns the state in a record.
func chapterOf(e object) chapter {
	if e == nil {
		return chapter{}
	}
	waitingFor, _ := e["waitingFor"].(string)
	return chapter{
		status:     e["status"].(string),
		stage:      strconv.Itoa(int(e["stageIndex"].(float64))+1) + " of " + strconv.Itoa(int(e["stageCount"].(float64))),
		percentage: strconv.FormatFloat(e["percentage"].(float64), 'f', -1, 64),
		waitingFor: waitingFor, reason: e["reason"].(string),
	}
}

// terminalWatch is a terminal in which the rollout is watched.
type terminalWatch struct {
	ended chan error

	mu  sync.Mutex
	out bytes.Buffer
}

func (p *tenant) watchInTerminal(id int64) *terminalWatch {
	w := &terminalWatch{ended: make(chan error, 1)}
	cmd := cli.NewCommand()
	cmd.SetArgs([]string{"rollouts", "watch", strconv.FormatInt(id, 10), "--url", p.url, "--project", p.slug, "--api-key", p.keys[models.RoleViewer]})
	cmd.SetOut(w)
	go func() { w.ended <- cmd.ExecuteContext(p.t.Context()) }()
	return w
}

func (w *terminalWatch) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(b)
}

func (w *terminalWatch) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// The terminal prints a line for each event with its sentence. It also prints the state of the rollout, with the reason
// if that differs from the event's sentence.
var (
	eventLine  = regexp.MustCompile(`^\S+ \S+  [a-z ]+ at \S+% by [^:]+: (.+)$`)
	standsLine = regexp.MustCompile(`^\S+ \S+  ([a-z ]+), stage (\d+ of \d+), rollout percentage (\S+)%` +
		`(?:, 0 devices|, \d+ devices, crash rate \S+% \(\d+\)(?:, \S+% by the vote of 1 network|, \S+% by the votes of \d+ networks)?)?` +
		`(?:, waiting for (\w+))?(?: \((.+)\))?$`)
)

// chapter returns the state in the last lines of the terminal.
func (w *terminalWatch) chapter() (c chapter) {
	event, own := "", "" // the reasons in the last line with an event and in the last line without one
	for line := range strings.Lines(w.text()) {
		line = strings.TrimSuffix(line, "\n")
		if m := standsLine.FindStringSubmatch(line); m != nil {
			c = chapter{status: strings.ReplaceAll(m[1], " ", "_"), stage: m[2], percentage: m[3], waitingFor: m[4]}
			own = m[5]
		} else if m := eventLine.FindStringSubmatch(line); m != nil {
			event = m[1]
		}
	}
	c.reason = cmp.Or(own, event)
	return c
}
