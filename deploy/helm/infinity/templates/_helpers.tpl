{{- define "infinity.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "infinity.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "infinity.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "infinity.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "infinity.secretName" -}}
{{- default (include "infinity.fullname" .) .Values.secret.existingSecret }}
{{- end }}

{{- /* Whether several pods can run beside each other: empty or "true". */}}
{{- define "infinity.sharesCache" -}}
{{- if or (not .Values.cache.enabled) (has "ReadWriteMany" .Values.cache.accessModes) }}true{{ end }}
{{- end }}

{{/* How a path of the server is probed; where it asks clients for certificates, which a probe has not, only the port is. */}}
{{- define "infinity.probe" -}}
{{- $settings := default dict .settings -}}
{{- if get $settings "ssl-ca-certs" -}}
tcpSocket:
  port: http
{{- else -}}
httpGet:
  path: {{ .path }}
  port: http
  {{- if get $settings "ssl-certfile" }}
  scheme: HTTPS
  {{- end }}
{{- end -}}
{{- end -}}
