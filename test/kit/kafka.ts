import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel, type Admin, type Producer } from 'kafkajs';
import { makeCertificates } from './certificates.ts';
import { eventually } from './eventually.ts';

const version = '4.1.1';
/** Where the jars are kept between runs. */
const jarsFolder =
  process.env['SIGHTLINE_TEST_KAFKA_JARS'] ??
  join(homedir(), '.cache', 'sightline', `kafka-${version}`);
const hint =
  'a Kafka broker needs Java 17 or newer (`java`), and its jars: ' +
  '`mvn` on the PATH fetches them once (Debian: apt-get install default-jre-headless maven)';

/** A single real broker with three ways in. */
export interface KafkaPeer {
  /** host:port without encryption or authentication. */
  readonly plain: string;
  /** TLS with user name and password (PLAIN, SCRAM-SHA-256, SCRAM-SHA-512). */
  readonly scram: string;
  /** TLS with a client certificate. */
  readonly mutual: string;
  readonly user: { username: string; password: string };
  /** Another one, for PLAIN only. */
  readonly otherUser: { username: string; password: string };
  /** PEM texts. */
  readonly ca: string;
  readonly client: { certificate: string; privateKey: string };
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly producer: Producer;
  createTopic(name: string, partitions?: number, config?: Record<string, string>): Promise<void>;
  /** `SIGKILL` is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Again, on the same data and ports. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * For `describe.skipIf`: a missing broker fails in CI and skips elsewhere, with a line that says
 * how to get it.
 */
export function kafkaMissing(): boolean {
  if (has('java', '-version') && (jarsThere() || has('mvn', '-v'))) {
    return false;
  }
  if (process.env['CI']) {
    throw new Error(hint);
  }
  console.log(`skipped: ${hint}`);
  return true;
}

const has = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;
const jarsThere = (): boolean => existsSync(join(jarsFolder, 'complete'));

function fetchJars(): void {
  if (jarsThere()) {
    return;
  }
  mkdirSync(jarsFolder, { recursive: true });
  writeFileSync(
    join(jarsFolder, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>test</groupId>
  <artifactId>broker</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>`,
  );
  const fetched = spawnSync(
    'mvn',
    [
      '-q',
      '-B',
      '-f',
      join(jarsFolder, 'pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${jarsFolder}`,
      '-DincludeScope=runtime',
    ],
    { encoding: 'utf8' },
  );
  if (fetched.status !== 0) {
    throw new Error(`the jars of Kafka could not be fetched: ${fetched.stdout}${fetched.stderr}`);
  }
  writeFileSync(join(jarsFolder, 'complete'), '');
}

/**
 * Starts a broker on free ports of 127.0.0.1 with a temporary directory, and with certificates made
 * for this run.
 */
export async function startKafka(): Promise<KafkaPeer> {
  fetchJars();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-kafka-'));
  const { ca, client } = makeCertificates(folder);
  const [plainPort, scramPort, mutualPort, controllerPort] = (await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])) as [number, number, number, number];
  const user = { username: 'reader', password: 'correct-horse-battery' };
  const otherUser = { username: 'other', password: 'staple-of-another' };
  const properties = join(folder, 'server.properties');
  writeFileSync(
    properties,
    settings({
      folder,
      plainPort,
      scramPort,
      mutualPort,
      controllerPort,
      users: [user, otherUser],
    }),
  );
  const format = java([
    'kafka.tools.StorageTool',
    'format',
    '-t',
    'MkU3OEVBNTcwNTJENDM2Qg',
    '-c',
    properties,
    ...['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${user.username},password=${user.password}]`,
    ]),
  ]);
  const formatted = spawnSync('java', format, { encoding: 'utf8' });
  if (formatted.status !== 0) {
    throw new Error(
      `the broker's directory could not be made: ${formatted.stdout}${formatted.stderr}`,
    );
  }

  const plain = `127.0.0.1:${plainPort}`;
  const kafka = new Kafka({
    clientId: 'test',
    brokers: [plain],
    logLevel: logLevel.NOTHING,
    retry: { retries: 20, initialRetryTime: 100, maxRetryTime: 1000 },
  });
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  let server: ChildProcess | undefined;

  const peer: KafkaPeer = {
    plain,
    scram: `127.0.0.1:${scramPort}`,
    mutual: `127.0.0.1:${mutualPort}`,
    user,
    otherUser,
    ca,
    client,
    kafka,
    admin,
    producer,
    async createTopic(topic, numPartitions = 1, config = {}) {
      await admin.createTopics({
        topics: [
          {
            topic,
            numPartitions,
            configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
          },
        ],
        waitForLeaders: false,
      });
      // The client's own waiting fails when a broker has not heard of the topic yet.
      await eventually(async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        if (!topics[0]?.partitions.every(({ leader }) => leader >= 0)) {
          throw new Error(`topic ${topic} has no leaders yet`);
        }
        // A leader that is named may not lead yet. A producer would then send again what the other
        // partitions took: each record of theirs would be there twice.
        await admin.fetchTopicOffsets(topic);
      }, 30_000);
    },
    async start() {
      const log = join(folder, 'broker.log');
      const started = (server = spawn('java', java(['kafka.Kafka', properties]), {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: folder,
      }));
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (data: Buffer) => {
          appendFileSync(log, data);
        });
      }
      const deadline = Date.now() + 90_000;
      while (!(await answers(plainPort))) {
        if (started.exitCode !== null || Date.now() > deadline) {
          throw new Error(
            `the broker did not start: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : ''}`,
          );
        }
        await pause(100);
      }
    },
    async stop(signal = 'SIGTERM') {
      const running = server;
      server = undefined;
      if (!running || running.exitCode !== null) {
        return;
      }
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill(signal);
      await ended;
    },
    async remove() {
      await Promise.all([producer.disconnect(), admin.disconnect()]).catch(() => undefined);
      await peer.stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await peer.start();
  await admin.connect();
  await producer.connect();
  // The group coordinator comes up last; the client tries again until it answers.
  await admin.fetchOffsets({ groupId: 'warm-up', topics: [] }).catch(() => undefined);
  return peer;
}

function java(args: string[]): string[] {
  const jars = readdirSync(jarsFolder)
    .filter((name) => name.endsWith('.jar'))
    .map((name) => join(jarsFolder, name));
  return [
    '-Xmx384m',
    '-Xms128m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-cp',
    jars.join(':'),
    ...args,
  ];
}

function settings({
  folder,
  plainPort,
  scramPort,
  mutualPort,
  controllerPort,
  users,
}: {
  folder: string;
  plainPort: number;
  scramPort: number;
  mutualPort: number;
  controllerPort: number;
  users: { username: string; password: string }[];
}): string {
  const listeners = `PLAIN://127.0.0.1:${plainPort},SCRAM://127.0.0.1:${scramPort},MUTUAL://127.0.0.1:${mutualPort}`;
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `${listeners},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listeners,
    'inter.broker.listener.name': 'PLAIN',
    'listener.security.protocol.map':
      'PLAIN:PLAINTEXT,SCRAM:SASL_SSL,MUTUAL:SSL,CONTROLLER:PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'listener.name.scram.plain.sasl.jaas.config':
      'org.apache.kafka.common.security.plain.PlainLoginModule required ' +
      `${users.map(({ username, password }) => `user_${username}="${password}"`).join(' ')};`,
    'listener.name.scram.scram-sha-256.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.scram.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    // As it comes, it takes unsigned JSON web tokens only: enough to see that a token of another
    // make arrives and is refused.
    'listener.name.scram.oauthbearer.sasl.jaas.config':
      'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': join(folder, 'server.pem'),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': join(folder, 'ca.crt'),
    'listener.name.mutual.ssl.client.auth': 'required',
    'log.dirs': join(folder, 'data'),
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    'auto.create.topics.enable': false,
    // Everybody may do everything with what has no rules of its own.
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'allow.everyone.if.no.acl.found': true,
    'log.cleaner.backoff.ms': 200,
    'log.retention.check.interval.ms': 500,
    'num.network.threads': 2,
    'num.io.threads': 2,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function answers(port: number): Promise<boolean> {
  const probe = new Kafka({
    clientId: 'probe',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 500,
    retry: { retries: 0 },
  }).admin();
  try {
    await probe.connect();
    return (await probe.describeCluster()).brokers.length > 0;
  } catch {
    return false;
  } finally {
    await probe.disconnect().catch(() => undefined);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => {
          resolve(port);
        });
      });
  });
}
