/** Where and with what senders deliver telemetry, and where pipes are made. */
export interface Target {
  /** OTLP over HTTP, without a path. */
  endpoint: string;
  key: string;
  /** The API, without a path. */
  api: string;
  organizationId: string;
  serviceId: string;
}

export const senders = ['curl', 'collector', 'node', 'python', 'java', 'go', 'pipe'] as const;
export type Sender = (typeof senders)[number];

interface Snippet {
  label: string;
  /** What to do with the text. */
  about: string;
  text(target: Target): string;
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as a string of YAML, which reads JSON's. */
const yaml = (text: string): string => JSON.stringify(text);

/** Settings that every SDK reads. Values in the list of headers are percent-encoded. */
const variables = ({ endpoint, key }: Target): string[] => [
  'export OTEL_SERVICE_NAME=my-service',
  `export OTEL_EXPORTER_OTLP_ENDPOINT=${quoted(endpoint)}`,
  'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  `export OTEL_EXPORTER_OTLP_HEADERS=${quoted(`authorization=${encodeURIComponent(key)}`)}`,
];

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

const helloLog = {
  resourceLogs: [
    {
      resource: {
        attributes: [{ key: 'service.name', value: { stringValue: 'my-service' } }],
      },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: 'NOW',
              severityText: 'INFO',
              severityNumber: 9,
              body: { stringValue: 'Hello, Sightline' },
            },
          ],
        },
      ],
    },
  ],
};

/** Orders of a topic, each with a number and an amount. */
const ordersPipe = {
  name: 'Orders',
  source: { kafka: { brokers: 'broker.example.com:9092', topics: 'orders' } },
  destination: {
    table: 'orders',
    columns: [
      { name: 'id', type: 'UInt64' },
      { name: 'amount', type: 'Float64' },
    ],
    tableDefinition: { sortingKey: ['id'] },
  },
};

const goProgram = `package main

import (
	"context"
	"log"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	otel.SetTracerProvider(provider)

	_, span := otel.Tracer("my-service").Start(ctx, "first span")
	span.End()

	if err := provider.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
}`;

/** How to send a first row, by sender. */
export const snippets: Readonly<Record<Sender, Snippet>> = {
  curl: {
    label: 'curl',
    about: 'Sends one log record. Run it in a shell.',
    text: ({ endpoint, key }) =>
      lines(
        `curl ${quoted(`${endpoint}/v1/logs`)} \\`,
        `  -H ${quoted(`authorization: Bearer ${key}`)} \\`,
        `  -H 'content-type: application/json' \\`,
        `  -d '${JSON.stringify(helloLog).replace('NOW', `'"$(date +%s)"'000000000`)}'`,
      ),
  },
  collector: {
    label: 'Collector',
    about:
      'Configuration of an OpenTelemetry Collector from 0.144. Older ones name the exporter otlphttp.',
    text: ({ endpoint, key }) =>
      lines(
        'receivers:',
        '  otlp:',
        '    protocols:',
        '      grpc:',
        '      http:',
        'exporters:',
        '  otlp_http/sightline:',
        `    endpoint: ${yaml(endpoint)}`,
        '    headers:',
        `      authorization: ${yaml(`Bearer ${key.replaceAll('$', '$$$$')}`)}`,
        'service:',
        '  pipelines:',
        ...['logs', 'traces', 'metrics'].flatMap((signal) => [
          `    ${signal}:`,
          '      receivers: [otlp]',
          '      exporters: [otlp_http/sightline]',
        ]),
      ),
  },
  node: {
    label: 'Node.js',
    about: 'Instruments a program without a change of its code.',
    text: (target) =>
      lines(
        'npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node',
        '',
        ...variables(target),
        'export OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=otlp OTEL_LOGS_EXPORTER=otlp',
        'node --require @opentelemetry/auto-instrumentations-node/register app.js',
      ),
  },
  python: {
    label: 'Python',
    about: 'Instruments a program without a change of its code.',
    text: (target) =>
      lines(
        'pip install opentelemetry-distro opentelemetry-exporter-otlp',
        'opentelemetry-bootstrap -a install',
        '',
        ...variables(target),
        'opentelemetry-instrument python app.py',
      ),
  },
  java: {
    label: 'Java',
    about: 'Instruments a program without a change of its code.',
    text: (target) =>
      lines(
        'curl -LO https://github.com/open-telemetry/opentelemetry-java-instrumentation' +
          '/releases/latest/download/opentelemetry-javaagent.jar',
        '',
        ...variables(target),
        'java -javaagent:./opentelemetry-javaagent.jar -jar app.jar',
      ),
  },
  go: {
    label: 'Go',
    about: 'Sends one span. The exporter reads the variables.',
    text: (target) =>
      lines(
        'mkdir first-span && cd first-span && go mod init first-span',
        "cat > main.go <<'EOF'",
        goProgram,
        'EOF',
        'go mod tidy',
        '',
        ...variables(target),
        'go run .',
      ),
  },
  pipe: {
    label: 'Pipe',
    about:
      'Copies records of a Kafka topic into a table, exactly once. Write your broker, topic and ' +
      'columns, and an API key of the organization: the first start printed one.',
    text: ({ api, organizationId, serviceId }) =>
      lines(
        "export KEY_ID='<key id>' KEY_SECRET='<key secret>'",
        `curl ${quoted(`${api}/v1/organizations/${organizationId}/services/${serviceId}/pipes`)} \\`,
        '  -u "$KEY_ID:$KEY_SECRET" \\',
        `  -H 'content-type: application/json' \\`,
        `  -d ${quoted(JSON.stringify(ordersPipe, null, 2))}`,
      ),
  },
};
