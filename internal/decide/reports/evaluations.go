package reports

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// maxContextBytes is the largest context that is read.
const maxContextBytes = 64 << 10

// Evaluations are how often a flag had a value. Value is not set: Raw has it as JSON, whose
// type depends on the flag.
type Evaluations struct {
	models.FlagEvaluations
	Raw json.RawMessage
	// Context is that of the evaluation; its TargetingKey is "" when the report has none.
	Context models.EvaluatedContext
}

// Fields of such a report and of its entries, in the order in which they are read.
var (
	evaluationReportFields = []string{"projectSlug", "channel", "evaluations", "context"}
	evaluationFields       = []string{"flagKey", "value", "count", "lastEvaluatedAt", "targetingKey", "context", "variationValue", "channel"}
)

// ParseEvaluations reads a report of evaluations. The project may be missing when named says
// that the caller has named it otherwise: then projectSlug is "". The error is CodeInvalid and names
// every bad field; unknown fields are skipped.
func ParseEvaluations(body []byte, named bool, now time.Time) (projectSlug string, all []Evaluations, err error) {
	root, err := reportObject(body)
	if err != nil {
		return "", nil, err
	}
	in := make([]gjson.Result, len(evaluationReportFields))
	pick(root, evaluationReportFields, in)
	p := reportProblems{}
	if in[0].Exists() || !named {
		projectSlug = p.text(ofReport("projectSlug"), in[0], 63)
	}
	channel := p.channel(ofReport("channel"), in[1])
	shared := p.context(ofReport, gjson.Result{}, in[3])
	p.list("evaluations", "entries", in[2], func(n int, value gjson.Result) {
		e := p.evaluation(n, value, now)
		e.Context = within(shared, e.Context)
		e.Channel, e.ReceivedAt = cmp.Or(e.Channel, channel), now
		all = append(all, e)
	})
	return projectSlug, all, p.Err()
}

func (p *reportProblems) evaluation(n int, value gjson.Result, now time.Time) (e Evaluations) {
	of := func(name string) reportField { return reportField{"evaluations", n, name} }
	in := make([]gjson.Result, len(evaluationFields))
	pick(value, evaluationFields, in)
	e.FlagKey = p.text(of("flagKey"), in[0], MaxShortText)
	e.Count = p.count(of("count"), in[2])
	if !in[1].Exists() {
		in[1] = in[6]
	}
	if in[7].Exists() {
		e.Channel = p.channel(of("channel"), in[7])
	}
	if e.Raw = json.RawMessage(in[1].Raw); len(e.Raw) == 0 {
		p.add(of("value"), "is required")
	}
	e.LastAt = now
	if in[3].Exists() {
		if last, err := lastEvaluated(in[3]); err != nil {
			p.add(of("lastEvaluatedAt"), "must be a time as in RFC 3339")
		} else if last.Before(now) {
			e.LastAt = last
		}
	}
	e.Context = p.context(of, in[4], in[5])
	e.Context.Evaluations, e.Context.SeenAt = e.Count, now
	return e
}

// within is the context of an evaluation in a report that has a context for all: what the evaluation says
// comes first.
func within(shared, own models.EvaluatedContext) models.EvaluatedContext {
	if own.TargetingKey != "" && own.TargetingKey != shared.TargetingKey {
		return own // it is somebody else
	}
	evaluations, seen := own.Evaluations, own.SeenAt
	shared.Evaluations, shared.SeenAt = 0, seen
	merged := shared.Plus(own)
	merged.Evaluations = evaluations
	return merged
}

// lastEvaluated reads a time. Those before 2000 come from wrong clocks and become 2000, since
// telemetry cannot store all of them.
func lastEvaluated(value gjson.Result) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, textOf(value))
	if oldest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); err == nil && at.Before(oldest) {
		at = oldest
	}
	return at.UTC(), err
}

// context reads the context of an evaluation. Fields of wrong types within it are left out;
// the evaluation counts all the same.
func (p *reportProblems) context(of func(string) reportField, key, value gjson.Result) (c models.EvaluatedContext) {
	if key.Exists() {
		c.TargetingKey = p.text(of("targetingKey"), key, MaxDeviceID)
	}
	c.Kind = "user"
	if !value.Exists() {
		return c
	}
	if !value.IsObject() {
		p.add(of("context"), "must be an object")
		return c
	}
	var attributes map[string]any
	if len(value.Raw) > maxContextBytes || json.Unmarshal([]byte(value.Raw), &attributes) != nil {
		return c
	}
	if kind, ok := attributes["kind"].(string); ok && slices.Contains(models.ContextKinds, models.ContextKind(kind)) {
		c.Kind = models.ContextKind(kind)
	}
	if named, ok := attributes["targetingKey"].(string); ok && c.TargetingKey == "" {
		c.TargetingKey = named
	}
	c.Name, _ = attributes["name"].(string)
	if nested, ok := attributes["attributes"].(map[string]any); ok {
		delete(attributes, "attributes")
		maps.Copy(attributes, nested)
	}
	maps.DeleteFunc(attributes, func(name string, value any) bool {
		return value == nil || name == "kind" || name == "targetingKey" || name == "name"
	})
	c.Attributes = attributes
	return c
}
