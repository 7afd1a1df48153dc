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

// maxContextBytes is the maximum size of a context. The attributes of a larger context are not read.
const maxContextBytes = 64 << 10

// Evaluations counts how often a flag had a value. The field Value is not set; Raw contains the value as JSON, because its
// type depends on the flag.
type Evaluations struct {
	models.FlagEvaluations
	Raw json.RawMessage
	// Context is the context of the evaluation. Its TargetingKey is "" if the report does not contain a targeting key.
	Context models.EvaluatedContext
}

// Fields of a report of evaluations and of its entries, in the order in which they are read.
var (
	evaluationReportFields = []string{"projectSlug", "channel", "evaluations", "context"}
	evaluationFields       = []string{"flagKey", "value", "count", "lastEvaluatedAt", "targetingKey", "context", "variationValue", "channel"}
)

// ParseEvaluations parses a report of evaluations. If named is true, the caller already knows the project, so the report may
// omit it; projectSlug is then "". The error is CodeInvalid and names every invalid field. Unknown fields are skipped.
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
			p.add(of("lastEvaluatedAt"), "must be an RFC 3339 time, such as 2026-03-14T09:26:53Z")
		} else if last.Before(now) {
			e.LastAt = last
		}
	}
	e.Context = p.context(of, in[4], in[5])
	e.Context.Evaluations, e.Context.SeenAt = e.Count, now
	return e
}

// within returns the context of an evaluation in a report with a shared context. Fields of the evaluation's own context take
// precedence.
func within(shared, own models.EvaluatedContext) models.EvaluatedContext {
	if own.TargetingKey != "" && own.TargetingKey != shared.TargetingKey {
		return own // another subject
	}
	evaluations, seen := own.Evaluations, own.SeenAt
	shared.Evaluations, shared.SeenAt = 0, seen
	merged := shared.Plus(own)
	merged.Evaluations = evaluations
	return merged
}

// lastEvaluated parses a time. A time before 2000 comes from a wrong clock and becomes the beginning of 2000, because
// telemetry cannot store every earlier time.
func lastEvaluated(value gjson.Result) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, textOf(value))
	if oldest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); err == nil && at.Before(oldest) {
		at = oldest
	}
	return at.UTC(), err
}

// context reads the context of an evaluation. It skips fields of a wrong type; the evaluation still counts.
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
