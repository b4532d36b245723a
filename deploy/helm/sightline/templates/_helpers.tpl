{{- define "sightline.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "sightline.labels" -}}
app.kubernetes.io/name: sightline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sightline.allLabels" -}}
{{ include "sightline.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- /* The containers of a pod. Expects a dict: root, roles (a list), resources. */ -}}
{{- define "sightline.pod" -}}
{{- $root := .root -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
automountServiceAccountToken: false
# A process stops within 10 s, after the pause of preStop.
terminationGracePeriodSeconds: 30
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: sightline
    image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    env:
      - name: SIGHTLINE_ROLES
        value: {{ join "," .roles | quote }}
      {{- range $name, $value := $root.Values.settings }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    {{- with $root.Values.existingSecret }}
    envFrom:
      - secretRef:
          name: {{ . }}
    {{- end }}
    ports:
      - name: api
        containerPort: 8000
      - name: ui
        containerPort: 8080
      - name: otlp-http
        containerPort: 4318
      - name: otlp-grpc
        containerPort: 4317
    {{- include "sightline.probes" . | nindent 4 }}
    {{- if and (eq $root.Values.mode "scaled") (or (has "api" .roles) (has "ui" .roles) (has "ingest" .roles)) }}
    # Services send requests to the pod until they have learned that it stops.
    lifecycle:
      preStop:
        exec: { command: [sleep, "5"] }
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    resources:
      {{- toYaml (.resources | default $root.Values.resources) | nindent 6 }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
{{- with $root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Where the roles of a process answer. One that only works behind the scenes has no port. */ -}}
{{- define "sightline.probes" -}}
{{- if or (has "api" .roles) (has "ui" .roles) -}}
{{- $port := ternary "api" "ui" (has "api" .roles) -}}
startupProbe:
  httpGet: { path: /health, port: {{ $port }} }
  periodSeconds: 2
  failureThreshold: 90
livenessProbe:
  httpGet: { path: /health, port: {{ $port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /ready, port: {{ $port }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- else if has "ingest" .roles -}}
startupProbe:
  tcpSocket: { port: otlp-http }
  periodSeconds: 2
  failureThreshold: 90
readinessProbe:
  tcpSocket: { port: otlp-http }
  periodSeconds: 5
{{- end -}}
{{- end -}}

{{- /* Services find pods by the roles of their group. */ -}}
{{- define "sightline.roleLabels" -}}
{{- range . }}
sightline/role-{{ . }}: "true"
{{- end }}
{{- end -}}
