-- +goose Up

-- What the rules and environments of flags refer to.
ALTER TABLE channels ADD CONSTRAINT channels_tenant_key UNIQUE (project_id, id);

CREATE TABLE flags (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id    bigint NOT NULL CONSTRAINT flags_project_fkey REFERENCES projects (id),
    key           text NOT NULL,
    name          text NOT NULL,
    description   text NOT NULL,
    flag_type     text NOT NULL,
    -- Values are texts of the flag's type everywhere, so that numbers keep their digits.
    default_value text NOT NULL,
    enabled       boolean NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT flags_tenant_key UNIQUE (project_id, id),
    CONSTRAINT flags_key_key UNIQUE (project_id, key),
    CONSTRAINT flags_key_check CHECK (key ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
    CONSTRAINT flags_name_check CHECK (name <> ''),
    CONSTRAINT flags_type_check CHECK (flag_type IN ('boolean', 'string', 'number', 'json')),
    CONSTRAINT flags_boolean_check CHECK (flag_type <> 'boolean' OR default_value IN ('true', 'false'))
);

CREATE TABLE flag_variations (
    id         bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id bigint NOT NULL,
    flag_id    bigint NOT NULL,
    name       text NOT NULL,
    value      text NOT NULL,
    position   integer NOT NULL,
    -- Foreign keys that name the flag as well keep a rule to its own flag's variations.
    CONSTRAINT flag_variations_flag_key UNIQUE (flag_id, id),
    CONSTRAINT flag_variations_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_variations_name_check CHECK (name <> ''),
    -- At the end of the transaction: two variations may swap their names and values.
    -- Values may be too long for an index, their hashes are not.
    CONSTRAINT flag_variations_name_key UNIQUE (flag_id, name) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT flag_variations_value_key EXCLUDE USING btree (flag_id WITH =, md5(value) WITH =) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE flag_environments (
    id            bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id    bigint NOT NULL,
    flag_id       bigint NOT NULL,
    channel_id    bigint NOT NULL,
    -- NULL is as the flag has it.
    enabled       boolean,
    default_value text,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT flag_environments_key UNIQUE (flag_id, channel_id),
    CONSTRAINT flag_environments_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_environments_channel_fkey FOREIGN KEY (project_id, channel_id) REFERENCES channels (project_id, id)
);

CREATE INDEX flag_environments_channel_index ON flag_environments (channel_id);

CREATE TABLE flag_rules (
    id           bigint PRIMARY KEY DEFAULT nextval('waft_ids'),
    project_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    rule_type    text NOT NULL,
    rule_config  jsonb NOT NULL,
    variation_id bigint,
    priority     integer NOT NULL,
    channel_id   bigint,
    CONSTRAINT flag_rules_flag_key UNIQUE (flag_id, id),
    CONSTRAINT flag_rules_tenant_key UNIQUE (project_id, id),
    CONSTRAINT flag_rules_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_rules_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id),
    CONSTRAINT flag_rules_channel_fkey FOREIGN KEY (project_id, channel_id) REFERENCES channels (project_id, id),
    CONSTRAINT flag_rules_type_check CHECK (rule_type IN ('user_list', 'percentage_rollout', 'attribute', 'segment', 'ota_update')),
    CONSTRAINT flag_rules_config_check CHECK (jsonb_typeof(rule_config) = 'object'),
    CONSTRAINT flag_rules_variation_check CHECK (variation_id IS NOT NULL OR rule_type = 'percentage_rollout')
);

CREATE INDEX flag_rules_variation_index ON flag_rules (variation_id) WHERE variation_id IS NOT NULL;
CREATE INDEX flag_rules_channel_index ON flag_rules (channel_id) WHERE channel_id IS NOT NULL;

-- The shares of a percentage rollout are rows, so that none outlives its variation.
CREATE TABLE flag_rule_shares (
    rule_id      bigint NOT NULL,
    project_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    position     integer NOT NULL,
    variation_id bigint NOT NULL,
    weight       double precision NOT NULL,
    PRIMARY KEY (rule_id, variation_id),
    CONSTRAINT flag_rule_shares_rule_fkey FOREIGN KEY (flag_id, rule_id) REFERENCES flag_rules (flag_id, id),
    CONSTRAINT flag_rule_shares_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT flag_rule_shares_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id),
    CONSTRAINT flag_rule_shares_weight_check CHECK (weight BETWEEN 0 AND 100)
);

CREATE INDEX flag_rule_shares_flag_index ON flag_rule_shares (flag_id);
CREATE INDEX flag_rule_shares_variation_index ON flag_rule_shares (variation_id);
