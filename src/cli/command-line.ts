import { Command, Option } from 'commander';
import { ConfigError } from '../app/config/config-error.ts';
import { addAdminCommands, commandMessage } from './admin.ts';
import {
  queryChart,
  querySearch,
  type ChartOptions,
  type QueryOptions,
  type SearchOptions,
} from './query.ts';

type Environment = Record<string, string | undefined>;

/**
 * `sightline <command>`: exit code 0 when it did what was asked, 1 when it could not, 2 when the
 * configuration is wrong. What a command needs is loaded when it runs: asking a server does not
 * load an engine.
 */
export async function runCommandLine(
  argv: readonly string[],
  environment: Environment,
  version: string,
): Promise<void> {
  try {
    await program(environment, version).parseAsync([...argv]);
  } catch (error) {
    if (error instanceof ConfigError) {
      return fail(error.message, 2);
    }
    fail(
      commandMessage(error) ??
        listenMessage(error) ??
        (error instanceof Error ? error.message : String(error)),
      1,
    );
  }
}

function listenMessage(error: unknown): string | undefined {
  const { code, syscall, address, port } = (
    error instanceof Error ? error : {}
  ) as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen') {
    return undefined;
  }
  const place = `${address}:${port}`;
  if (code === 'EADDRINUSE') {
    return (
      `${place} is in use. Stop the server that uses it, ` +
      'or set another port (SIGHTLINE_API_PORT, SIGHTLINE_UI_PORT, SIGHTLINE_OTLP_HTTP_PORT, ' +
      'SIGHTLINE_OTLP_GRPC_PORT); sightline doctor checks all of them'
    );
  }
  return `cannot listen on ${place} (${code}): check SIGHTLINE_HOST and the ports`;
}

function fail(message: string, code: number): void {
  console.error(`sightline: ${message}`);
  process.exit(code);
}

function program(environment: Environment, version: string): Command {
  const root = new Command('sightline')
    .description('Self-hosted observability and ingestion on ClickHouse')
    .version(version)
    .showHelpAfterError();
  root
    .command('serve')
    .description('Run the server. Settings come from the environment (docs/config.md)')
    .action(async () => (await import('./serve.ts')).serve(environment, version));
  root
    .command('demo')
    .description(
      'Run the server with a simulated shop that sends telemetry, a dashboard and an alert',
    )
    .action(async () => (await import('./demo.ts')).demo(environment, version));
  root
    .command('doctor')
    .description(
      'Check configuration, data directory, ports, store and engine without starting the server',
    )
    .action(async () => (await import('./doctor.ts')).doctor(environment));
  addBackupCommands(root, environment, version);
  const admin = root
    .command('admin')
    .description('Manage users, keys, organizations and services directly in the store');
  addAdminCommands(admin, async (command) =>
    (await import('./beside.ts')).beside(environment, command),
  );
  admin
    .command('rotate-secret-key')
    .description('Encrypt all stored secrets again under a new key, also while servers run')
    .action(async () =>
      console.log(await (await import('./rotate-secret-key.ts')).rotateKey(environment)),
    );
  admin
    .command('clickhouse-users')
    .description('Print the SQL that creates the users of all services on the ClickHouse server')
    .action(async () => (await import('./clickhouse-users.ts')).clickHouseUsers(environment));
  addQueryCommands(
    root.command('query').description('Query a running server from the shell'),
    environment,
  );
  return root;
}

function addBackupCommands(root: Command, environment: Environment, version: string): void {
  root
    .command('backup')
    .argument('<place>', 'empty directory, or s3://bucket/prefix')
    .option('--wait <seconds>', 'how long running pipes may take to finish their inserts', '60')
    .description(
      'Back up metadata and telemetry, also while servers run. The secret key is not included',
    )
    .action(async (place: string, { wait }: { wait: string }) => {
      const seconds = Number(wait);
      if (!/^\d{1,5}$/.test(wait)) {
        throw new Error(`--wait must be a whole number of seconds, not ${JSON.stringify(wait)}`);
      }
      const { backup } = await import('./backup.ts');
      console.log(await backup(environment, version, place, seconds));
    });
  root
    .command('restore')
    .argument('<place>', 'directory or s3://bucket/prefix of a backup')
    .description('Restore a backup into empty stores; no server may run on them')
    .action(async (place: string) => {
      const { restore } = await import('./backup.ts');
      console.log(await restore(environment, place));
    });
}

function addQueryCommands(query: Command, environment: Environment): void {
  const common = (command: Command): Command =>
    command
      .option(
        '--url <url>',
        'REST API of the server',
        environment['SIGHTLINE_URL'] || 'http://127.0.0.1:8000',
      )
      .option('--key <key>', 'personal API access key (default: SIGHTLINE_ACCESS_KEY)')
      .option('--source <name>', 'data source, by name or id', 'Logs')
      .option('--where <condition>', 'condition that rows must match', '')
      .option('--sql', 'read the condition as SQL instead of Lucene', false)
      .option('--since <duration>', 'time range until now: 15m, 1h, 7d', '1h')
      .addOption(
        new Option('--format <format>', 'output format')
          .choices(['table', 'json'])
          .default('table'),
      );
  const withKey = <T extends QueryOptions>(options: T): T => ({
    ...options,
    key: options.key ?? environment['SIGHTLINE_ACCESS_KEY'],
  });
  common(query.command('chart').description('Query one series over time'))
    .option(
      '--agg <function>',
      'count, sum, avg, min, max, quantile, count_distinct, last_value',
      'count',
    )
    .option('--field <field>', 'column or expression to aggregate')
    .option('--level <level>', 'quantile level, 0 to 1')
    .option('--metric <name>', 'metric name, for a metric source')
    .option('--metric-type <type>', 'gauge, sum, histogram, exponential histogram or summary')
    .option('--group-by <fields>', 'comma-separated')
    .option('--granularity <size>', '1m, 5m, 1h, … or auto')
    .action(async (options: ChartOptions) => console.log(await queryChart(withKey(options))));
  common(query.command('search').description('Show the newest matching rows'))
    .option('--select <columns>', 'comma-separated')
    .option('--limit <rows>', 'maximum number of rows', '50')
    .action(async (options: SearchOptions) => console.log(await querySearch(withKey(options))));
}
