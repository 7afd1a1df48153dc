package unit

// LinkedFlagsColumn is an SQL expression that reads the flags linked by a row of releases, as JSON.
const LinkedFlagsColumn = `(SELECT jsonb_agg(jsonb_build_object('flagId', flags.id, 'flagKey', flags.key,
		'enabled', release_flags.enabled, 'variationId', release_flags.variation_id,
		'value', CASE WHEN flags.flag_type = 'boolean' THEN release_flags.enabled::text
			ELSE coalesce(flag_variations.value, flags.default_value) END) ORDER BY flags.id)
	FROM release_flags JOIN flags ON flags.id = release_flags.flag_id
		LEFT JOIN flag_variations ON flag_variations.id = release_flags.variation_id
	WHERE release_flags.release_id = releases.id) AS linked_flags`
