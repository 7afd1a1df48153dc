-- +goose Up

-- Flags that devices running a release see as the release says.
CREATE TABLE release_flags (
    release_id   bigint NOT NULL,
    flag_id      bigint NOT NULL,
    project_id   bigint NOT NULL,
    enabled      boolean NOT NULL,
    -- What those devices get; NULL where enabled says it: boolean flags, and flags
    -- that the release turns off.
    variation_id bigint,
    PRIMARY KEY (release_id, flag_id),
    CONSTRAINT release_flags_release_fkey FOREIGN KEY (project_id, release_id) REFERENCES releases (project_id, id),
    CONSTRAINT release_flags_flag_fkey FOREIGN KEY (project_id, flag_id) REFERENCES flags (project_id, id),
    CONSTRAINT release_flags_variation_fkey FOREIGN KEY (flag_id, variation_id) REFERENCES flag_variations (flag_id, id),
    CONSTRAINT release_flags_variation_check CHECK (enabled OR variation_id IS NULL)
);

CREATE INDEX release_flags_flag_index ON release_flags (flag_id);
CREATE INDEX release_flags_variation_index ON release_flags (variation_id) WHERE variation_id IS NOT NULL;
