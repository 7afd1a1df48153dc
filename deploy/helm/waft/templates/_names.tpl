{{/* The name that the names of all objects begin with: the release's, which contains the chart's. */}}
{{- define "waft.name" -}}
{{- if contains "waft" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-waft" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "waft.selector" -}}
app.kubernetes.io/name: waft
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "waft.labels" -}}
{{ include "waft.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "waft.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "waft.serviceAccount" -}}
{{- with .Values.serviceAccount -}}
{{ .name | default (ternary (include "waft.name" $) "default" .create) }}
{{- end -}}
{{- end }}

{{/* A number of values.yaml is a float64 here, which Go prints with an exponent if it is large. */}}
{{- define "waft.string" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{- define "waft.host" -}}
{{- regexReplaceAll ":[0-9]+$" (urlParse (. | default "")).host "" -}}
{{- end }}
