import { createApp, type Started } from '../app/app.ts';
import { readConfig } from '../app/config/config.ts';
import { createLog } from '../adapters/ambient/log.ts';
import type { FirstCredentials } from '../core/identity/bootstrap.ts';

/** How long a stop may take before the process ends anyway. */
const stopDeadlineMs = 9_700;

/** `sightline serve`: starts, prints where and with what to call, stops on SIGTERM or SIGINT. */
export async function serve(
  environment: Record<string, string | undefined>,
  version: string,
  after?: (started: Started) => Promise<void>,
): Promise<void> {
  const { config, warnings } = readConfig(environment);
  const log = createLog({ level: config.logLevel, destination: process.stderr });
  for (const warning of warnings) {
    log.warn({}, warning);
  }
  const app = createApp({ config, log, version });
  const stop = stopOnce(() => app.stop());
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const started = await app.start();
  console.log(banner(started));
  try {
    await after?.(started);
  } catch (error) {
    await app.stop();
    throw error;
  }
}

function stopOnce(stop: () => Promise<void>): () => void {
  let stopping = false;
  return () => {
    if (stopping) {
      return;
    }
    stopping = true;
    setTimeout(() => process.exit(1), stopDeadlineMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
}

function banner({ addresses, first }: Started): string {
  const lines = ['', 'Sightline is running.', ''];
  if (addresses.ui !== undefined) {
    lines.push(`  interface   ${addresses.ui}`);
  }
  for (const surface of addresses.surfaces ?? []) {
    lines.push(`  REST API    ${surface}   reference: ${surface}/docs`);
  }
  if (addresses.metrics !== undefined) {
    lines.push(`  metrics     ${addresses.metrics}`);
  }
  if (addresses.otlpHttp !== undefined) {
    lines.push(`  OTLP/HTTP   ${addresses.otlpHttp}`);
  }
  if (addresses.otlpGrpc !== undefined) {
    lines.push(`  OTLP/gRPC   ${addresses.otlpGrpc}`);
  }
  if (first) {
    lines.push('', ...credentials(first));
  }
  return lines.join('\n');
}

/** What was made up at the first start. */
function credentials({ madeUp, ...first }: FirstCredentials): string[] {
  const secret = (name: Parameters<typeof madeUp.has>[0], text: string): string =>
    madeUp.has(name) ? text : '(as configured)';
  return [
    'First start: these credentials are shown until somebody signs in or uses a key. Keep them.',
    '',
    `  user             ${first.email}   password ${secret('password', first.password)}`,
    `  access key       ${secret('accessKey', first.accessKey)}   (/api/v2, Authorization: Bearer)`,
    `  ingestion key    ${secret('ingestionKey', first.ingestionKey)}   (OTLP, Authorization)`,
    `  organization     ${first.organizationId}`,
    `  service          ${first.serviceId}`,
    `  API key id       ${secret('keyId', first.keyId)}   (/v1, Authorization: Basic)`,
    `  API key secret   ${secret('keySecret', first.keySecret)}`,
  ];
}
