-- +goose Up

-- A rule of any type may have shares (flag_rule_shares) instead of a variation. is_split says so; a percentage_rollout always has shares.
ALTER TABLE flag_rules ADD COLUMN is_split boolean NOT NULL DEFAULT false;
ALTER TABLE flag_rules DROP CONSTRAINT flag_rules_variation_check;
ALTER TABLE flag_rules ADD CONSTRAINT flag_rules_variation_check
    CHECK (CASE rule_type WHEN 'percentage_rollout' THEN NOT is_split ELSE is_split = (variation_id IS NULL) END);
