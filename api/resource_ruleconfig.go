package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// RuleConfig is what a rule compares with; which fields go follows from the rule's
// type.
type RuleConfig struct {
	UserIDs           *UserIDs          `json:"userIds,omitempty" doc:"Of a user_list: the targeting keys of users."`
	Rollout           []RuleShare       `json:"rollout,omitempty" doc:"Of a percentage_rollout: weights add up to 100 at most, the rest falls through to the next rule."`
	BucketBy          string            `json:"bucketBy,omitempty" doc:"Of a percentage_rollout: the attribute that decides which share holds a context; the targeting key when absent."`
	Conditions        []RuleCondition   `json:"conditions,omitempty" doc:"Of an attribute rule: all must hold."`
	SegmentKey        string            `json:"segmentKey,omitempty" doc:"Of a segment rule."`
	RuntimeVersion    *VersionCondition `json:"runtimeVersion,omitempty" doc:"Of an ota_update rule; all that are given must hold."`
	Branch            string            `json:"branch,omitempty" doc:"Of an ota_update rule: the branch of the running update."`
	UpdatedWithinDays *float64          `json:"updatedWithinDays,omitempty" doc:"Of an ota_update rule: the running update is not older than this."`
	UpdateUUID        string            `json:"updateUuid,omitempty" doc:"Of an ota_update rule: the running update."`
}

// RuleShare gives a part of all contexts a variation, named by its value or its id.
type RuleShare struct {
	VariantValue *string `json:"variantValue,omitempty" doc:"The text of the variation's value."`
	VariationID  *int64  `json:"variationId,omitempty" minimum:"1"`
	Weight       float64 `json:"weight" minimum:"0" maximum:"100" doc:"Percent of contexts."`
}

// RuleCondition compares an attribute of a context.
type RuleCondition struct {
	Attribute string   `json:"attribute"`
	Operator  Operator `json:"operator"`
	Values    Texts    `json:"values,omitempty" doc:"None for exists and not_exists."`
}

// VersionCondition compares a runtime version.
type VersionCondition struct {
	Operator models.Operator `json:"operator" enum:"gte,gt,lte,lt,eq"`
	Value    string          `json:"value"`
}

func ruleConfigRecord(c models.RuleConfig) RuleConfig {
	record := RuleConfig{
		BucketBy: c.BucketBy, SegmentKey: c.SegmentKey, RuntimeVersion: (*VersionCondition)(c.RuntimeVersion),
		Branch: c.Branch, UpdatedWithinDays: c.UpdatedWithinDays, UpdateUUID: c.UpdateUUID,
	}
	if c.UserIDs != nil {
		record.UserIDs = &UserIDs{c.UserIDs, c.UserIDsAsText}
	}
	for _, s := range c.Rollout {
		record.Rollout = append(record.Rollout, RuleShare{&s.VariantValue, &s.VariationID, s.Weight})
	}
	for _, c := range c.Conditions {
		record.Conditions = append(record.Conditions, RuleCondition{c.Attribute, Operator(c.Operator), c.Values})
	}
	return record
}

func (c RuleConfig) model() models.RuleConfig {
	m := models.RuleConfig{
		BucketBy: c.BucketBy, SegmentKey: c.SegmentKey, RuntimeVersion: (*models.VersionCondition)(c.RuntimeVersion),
		Branch: c.Branch, UpdatedWithinDays: c.UpdatedWithinDays, UpdateUUID: c.UpdateUUID,
	}
	if c.UserIDs != nil {
		m.UserIDs, m.UserIDsAsText = append([]string{}, c.UserIDs.ids...), c.UserIDs.asText
	}
	if c.Rollout != nil {
		m.Rollout = rendered(c.Rollout, shareModel)
	}
	if c.Conditions != nil {
		m.Conditions = rendered(c.Conditions, func(c RuleCondition) models.Condition {
			return models.Condition{Attribute: c.Attribute, Operator: models.Operator(c.Operator), Values: append([]string{}, c.Values...)}
		})
	}
	return m
}

func shareModel(s RuleShare) models.RolloutShare {
	share := models.RolloutShare{Weight: s.Weight}
	if s.VariantValue != nil {
		share.VariantValue, share.HasValue = *s.VariantValue, true
	}
	if s.VariationID != nil {
		share.VariationID = *s.VariationID
	}
	return share
}

// Operator compares an attribute with values.
type Operator models.Operator

// Schema lists the operators.
func (Operator) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, o := range models.Operators {
		s.Enum = append(s.Enum, string(o))
	}
	return s
}

// Texts are values to compare with. Numbers and booleans among them are read as
// their text.
type Texts []string

// UnmarshalJSON reads strings, numbers and booleans.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var values []json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*t = make(Texts, len(values))
	for i, v := range values {
		if json.Unmarshal(v, &(*t)[i]) == nil {
			continue
		}
		if strings.ContainsAny(string(v[:1]), "{[n") {
			return errors.New("values must be strings, numbers or booleans")
		}
		(*t)[i] = string(v)
	}
	return nil
}

// Schema is a list of scalars.
func (Texts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
		AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}},
	}}
}

// UserIDs are a list, or one text with commas between them.
type UserIDs struct {
	ids    []string
	asText bool
}

// UnmarshalJSON reads either form.
func (u *UserIDs) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*u = UserIDs{models.SplitUserIDs(text), true}
		return nil
	}
	u.asText = false
	return json.Unmarshal(data, &u.ids)
}

// MarshalJSON writes them in the form in which they came.
func (u UserIDs) MarshalJSON() ([]byte, error) {
	if u.asText {
		return json.Marshal(strings.Join(u.ids, ","))
	}
	return json.Marshal(append([]string{}, u.ids...))
}

// Schema is either form.
func (UserIDs) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[[]string](), true, ""), {Type: huma.TypeString}}}
}
