package api

import "github.com/waft-ota/waft/models"

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
