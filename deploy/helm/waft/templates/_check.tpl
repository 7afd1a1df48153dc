{{/* Fails with a sentence for each value that is missing or contradicts another one. */}}
{{- define "waft.check" -}}
{{- $problems := list -}}
{{- with .Values -}}
{{- if not .image.repository -}}
{{- $problems = append $problems "image.repository is required: set it to the repository to which you pushed the image waft" -}}
{{- end -}}
{{- if regexMatch ":[^/]*$" .image.repository -}}
{{- $problems = append $problems "image.repository must not have a tag or a digest: set image.tag or image.digest" -}}
{{- end -}}
{{- range $setting := list "WAFT_BASE_URL" "WAFT_DASHBOARD_URL" -}}
{{- with get $.Values.settings $setting -}}
{{- if not (regexMatch "^https?://[^/]" .) -}}
{{- $problems = append $problems (printf "settings.%s must begin with https:// or http://, such as https://ota.example.com" $setting) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not .settings.WAFT_BASE_URL -}}
{{- $problems = append $problems "settings.WAFT_BASE_URL is required: set it to the URL at which devices reach Waft, such as https://ota.example.com" -}}
{{- end -}}
{{- if not .settings.TEMPORAL_ADDRESS -}}
{{- $problems = append $problems "settings.TEMPORAL_ADDRESS is required: set it to host:port of Temporal's frontend" -}}
{{- end -}}
{{- if and .settings.TEMPORAL_ADDRESS (not (regexMatch ":[0-9]+$" .settings.TEMPORAL_ADDRESS)) -}}
{{- $problems = append $problems "settings.TEMPORAL_ADDRESS must have a port, such as temporal-frontend.temporal:7233" -}}
{{- end -}}
{{- if and .backup.schedule (not (regexMatch "^(@[a-z]+|\\S+( +\\S+){4})$" .backup.schedule)) -}}
{{- $problems = append $problems "backup.schedule must have the five fields of cron, such as 15 3 * * *" -}}
{{- end -}}
{{- range $setting := list "DATABASE_URL" "CLICKHOUSE_URL" "WAFT_SECRET_KEY" -}}
{{- if not (hasKey $.Values.secretSettings $setting) -}}
{{- $problems = append $problems (printf "secretSettings.%s is required: set its secret to the name of a secret that has the key %s" $setting $setting) -}}
{{- end -}}
{{- end -}}
{{- if not (or .settings.WAFT_ASSET_BUCKET_URL .secretSettings.WAFT_ASSET_BUCKET_URL) -}}
{{- $problems = append $problems "settings.WAFT_ASSET_BUCKET_URL is required: set it to the bucket for assets, such as s3://assets?region=eu-central-1" -}}
{{- end -}}
{{- range $setting, $_ := .secretSettings -}}
{{- if hasKey $.Values.settings $setting -}}
{{- $problems = append $problems (printf "settings.%s is in secretSettings too: remove one of them" $setting) -}}
{{- end -}}
{{- end -}}
{{- if and .settings.WAFT_ASSET_BUCKET_URL (not (contains "://" .settings.WAFT_ASSET_BUCKET_URL)) -}}
{{- $problems = append $problems "settings.WAFT_ASSET_BUCKET_URL must be a URL, such as s3://assets?region=eu-central-1" -}}
{{- end -}}
{{- if hasPrefix "file:" (.settings.WAFT_ASSET_BUCKET_URL | default "") -}}
{{- $problems = append $problems "settings.WAFT_ASSET_BUCKET_URL must not be a folder, because each pod has its own: use a bucket of S3, Google Cloud or Azure" -}}
{{- end -}}
{{- if and .ingress.enabled (not .settings.WAFT_TRUSTED_PROXIES) -}}
{{- $problems = append $problems "settings.WAFT_TRUSTED_PROXIES is required with ingress.enabled: set it to the network of the ingress controller's pods, such as 10.244.0.0/16; otherwise all devices count as one address" -}}
{{- end -}}
{{- if and .ingress.dashboardTLSSecret (not .settings.WAFT_DASHBOARD_URL) -}}
{{- $problems = append $problems "settings.WAFT_DASHBOARD_URL is required with ingress.dashboardTLSSecret: set it to the URL of the dashboard, or remove the secret" -}}
{{- end -}}
{{- if and (or .backup.schedule .restore.enabled) (not .backup.claim) -}}
{{- $problems = append $problems "backup.claim is required with backup.schedule and restore.enabled: set it to the name of an existing claim of a volume" -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.engines) -}}
{{- $problems = append $problems "networkPolicy.engines is required with networkPolicy.enabled: list the ports and networks of Postgres, ClickHouse, Temporal and the bucket" -}}
{{- end -}}
{{- if and .networkPolicy.enabled .serviceMonitor.enabled (not .networkPolicy.prometheus) -}}
{{- $problems = append $problems "networkPolicy.prometheus is required with serviceMonitor.enabled: name the pods of Prometheus" -}}
{{- end -}}
{{- $timeout := .settings.WAFT_SHUTDOWN_TIMEOUT | default "20s" | toString -}}
{{- if regexMatch "^[0-9]+[sm]$" $timeout -}}
{{- $needed := add 10 (mul (trimSuffix "m" (trimSuffix "s" $timeout) | int) (ternary 60 1 (hasSuffix "m" $timeout))) -}}
{{- if lt (int .stopSeconds) (int $needed) -}}
{{- $problems = append $problems (printf "stopSeconds must be at least %d, because settings.WAFT_SHUTDOWN_TIMEOUT is %s" $needed $timeout) -}}
{{- end -}}
{{- else if regexMatch "^[0-9.]*$" $timeout -}}
{{- $problems = append $problems "settings.WAFT_SHUTDOWN_TIMEOUT must have a unit, such as 20s" -}}
{{- end -}}
{{- end -}}
{{- if $problems }}{{ fail (printf "\n\n%s\n" (join "\n" $problems)) }}{{ end -}}
{{- end }}
