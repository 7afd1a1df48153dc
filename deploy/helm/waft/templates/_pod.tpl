{{/* The settings that `waftd migrate` reads, and the variables of TLS and Go. */}}
{{- define "waft.readByMigration" -}}
^(DATABASE_URL|CLICKHOUSE_URL|WAFT_CLICKHOUSE_CLUSTER|TEMPORAL_[A-Z_]+|WAFT_LOG_(FORMAT|LEVEL)|SSL_CERT_(FILE|DIR)|GO[A-Z]+)$
{{- end }}

{{/* The settings that `waftd backup` reads, and the variables of buckets, TLS and Go. A restore looks into Temporal's namespace, too. */}}
{{- define "waft.readByBackup" -}}
^(DATABASE_URL|CLICKHOUSE_URL|WAFT_CLICKHOUSE_CLUSTER|WAFT_SECRET_KEY(_PREVIOUS)?|WAFT_ASSET_BUCKET_URL|(AWS|AZURE|GOOGLE)_[A-Z_]+|WAFT_OTHER_ADMIN_ADDRS|WAFT_DATA_DIR|WAFT_LOG_(FORMAT|LEVEL)|SSL_CERT_(FILE|DIR)|GO[A-Z]+)$
{{- end }}

{{/* Whether a component reads a variable. Only the API gets the root key. */}}
{{- define "waft.reads" -}}
{{- if eq .component "migrate" -}}
{{- if regexMatch (include "waft.readByMigration" .) .variable }}true{{ end -}}
{{- else if has .component (list "backup" "restore") -}}
{{- if or (regexMatch (include "waft.readByBackup" .) .variable) (and (eq .component "restore") (hasPrefix "TEMPORAL_" .variable)) }}true{{ end -}}
{{- else if or (eq .component "api") (ne .variable "WAFT_ROOT_KEY") }}true{{ end -}}
{{- end }}

{{- define "waft.env" -}}
{{- $name := include "waft.name" .root -}}
{{- $own := dict -}}
{{- if eq .component "backup" -}}
{{- /* A backup asks each API process whether its reports are in ClickHouse. */ -}}
{{- $processes := list -}}
{{- range $i := until (int .root.Values.api.replicas) }}{{ $processes = append $processes (printf "%s-api-%d.%s-api:8082" $name $i $name) }}{{ end -}}
{{- with .root.Values.settings.WAFT_OTHER_ADMIN_ADDRS }}{{ $processes = append $processes . }}{{ end -}}
{{- $own = dict "WAFT_OTHER_ADMIN_ADDRS" (join "," $processes) "WAFT_DATA_DIR" "/tmp" -}}
{{- else if eq .component "restore" -}}
{{- $own = dict "WAFT_DATA_DIR" "/tmp" -}}
{{- else if has .component (list "api" "worker") -}}
{{- $others := list (printf "%s-api:8082" $name) (printf "%s-worker:8082" $name) -}}
{{- with .root.Values.settings.WAFT_OTHER_ADMIN_ADDRS }}{{ $others = append $others . }}{{ end -}}
{{- $own = dict "WAFT_LISTEN_ADDR" "0.0.0.0:8080" "WAFT_ADMIN_ADDR" "0.0.0.0:8082" "WAFT_DATA_DIR" "/var/lib/waft"
  "WAFT_OTHER_ADMIN_ADDRS" (join "," $others) -}}
{{- if .root.Values.settings.WAFT_DASHBOARD_URL }}{{ $_ := set $own "WAFT_DASHBOARD_ADDR" "0.0.0.0:8081" }}{{ end -}}
{{- end -}}
{{- range $variable, $value := merge $own .root.Values.settings }}
{{- if include "waft.reads" (dict "component" $.component "variable" $variable) }}
- name: {{ $variable }}
  value: {{ include "waft.string" $value | quote }}
{{- end }}
{{- end }}
{{- range $variable, $from := .root.Values.secretSettings }}
{{- if include "waft.reads" (dict "component" $.component "variable" $variable) }}
- name: {{ $variable }}
  valueFrom: {secretKeyRef: {name: {{ $from.secret }}, key: {{ $from.key | default $variable }}}}
{{- end }}
{{- end }}
{{- end }}

{{/* What every pod has; restricted Pod Security. */}}
{{- define "waft.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* What every container has. */}}
{{- define "waft.container" -}}
image: {{ include "waft.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: {{ toJson (.args | default (list .component)) }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env:
  {{- include "waft.env" . | trim | nindent 2 }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
{{- if has .component (list "api" "worker") }}
  - {name: data, mountPath: /var/lib/waft}
{{- else if has .component (list "backup" "restore") }}
  - {name: backup, mountPath: /backup}
{{- end }}
{{- range $i, $file := .root.Values.files }}
  - {name: files-{{ $i }}, mountPath: {{ $file.path }}, readOnly: true}
{{- end }}
{{- end }}

{{- define "waft.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: {{ ternary "2Gi" "256Mi" (has .component (list "backup" "restore")) }}}
{{- if has .component (list "backup" "restore") }}
- name: backup
  persistentVolumeClaim: {claimName: {{ .root.Values.backup.claim }}}
{{- end }}
{{- range $i, $file := .root.Values.files }}
- name: files-{{ $i }}
{{- if $file.secret }}
  secret: {secretName: {{ $file.secret }}, defaultMode: 0440}
{{- else }}
  configMap: {name: {{ $file.configMap }}, defaultMode: 0444}
{{- end }}
{{- end }}
{{- end }}

{{/* What the API and the worker have: .root, .component, .values. */}}
{{- define "waft.server" -}}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
serviceAccountName: {{ include "waft.serviceAccount" .root }}
terminationGracePeriodSeconds: {{ .root.Values.stopSeconds }}
topologySpreadConstraints:
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $.root.Values.topologySpread }}
    labelSelector:
      matchLabels:
        {{- include "waft.selector" $ | nindent 8 }}
    {{- if eq $.component "worker" }}
    # An old pod does not count while new ones take the places.
    matchLabelKeys: [pod-template-hash]
    {{- end }}
{{- end }}
{{- end }}

{{/* The first start reads every project, and may have to wait for Postgres. Later, a process that serves devices is not restarted
     and does not lose its traffic because an engine is unavailable, so /readyz is the worker's only. */}}
{{- define "waft.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: {{ ternary "/readyz" "/healthz" (eq .component "worker") }}, port: http}
  periodSeconds: 5
  timeoutSeconds: 10
# Endpoints change while the pod already stops.
lifecycle:
  preStop: {sleep: {seconds: 5}}
resources:
  {{- toYaml .values.resources | nindent 2 }}
{{- end }}
