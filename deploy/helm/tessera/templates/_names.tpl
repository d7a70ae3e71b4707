{{/* The name of everything that the chart makes: that of the release, unless the release is called tessera. */}}
{{- define "tessera.name" -}}
{{- if contains "tessera" .Release.Name -}}
{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-tessera" .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/* The labels by which a Service finds its pods. They never change. */}}
{{- define "tessera.selector" -}}
app.kubernetes.io/name: tessera
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tessera.labels" -}}
{{ include "tessera.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The file of a document, by the setting that names it: TESSERA_GATE_RULES is gate-rules.json. */}}
{{- define "tessera.file" -}}
{{ . | trimPrefix "TESSERA_" | lower | replace "_" "-" }}.json
{{- end -}}
