import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';

/** A process with the pipes of a folder, to be killed. */
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: pipes-process FOLDER [STREAM-SERVICE]');
const world = await pipeWorld({ folder, connectors: createConnectors({ endpoint: process.argv[3] }), holder: 'only', tickMs: 200, leaseMs: 4000 });
world.pipes.start();
process.stdout.write('ready\n');
process.on('SIGTERM', () => { void world.close().finally(() => process.exit(0)); });
if (process.env['SIGHTLINE_TEST_LOG']) setInterval(() => process.stderr.write(world.logged.splice(0).join('\n')), 500);
