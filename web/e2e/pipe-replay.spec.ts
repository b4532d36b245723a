import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../test/kit/eventually.ts';
import { startKafkaMock, type KafkaMock } from '../../test/kit/kafka-mock.ts';
import { button } from './kit/pipe-page.ts';
import {
  callPipes,
  orders,
  pipePeersMissing,
  produce,
  topicPipe,
  type PipeRecord,
} from './kit/pipes.ts';
import { World } from './kit/world.ts';

const isMissing = pipePeersMissing();
let world: World;
let broker: KafkaMock;

beforeAll(async () => {
  if (!isMissing) {
    [world, broker] = await Promise.all([
      World.open({ SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8' }),
      startKafkaMock(),
    ]);
  }
});
afterAll(async () => {
  await world?.close();
  await broker?.remove();
});

it.skipIf(isMissing)('bad records are replayed after the mapping was changed', async () => {
  await broker.createTopic('parcels', 1);
  const bad = ['{"n":"three","id":3,"note":"x"}', '{"n":"four","id":"four","note":"x"}'];
  await produce({ broker }, 'parcels', [...orders(0, 3), ...bad]);
  const { page, watch, context } = await world.signedIn();
  await page.goto('/pipes');
  const { id } = await callPipes<PipeRecord>(
    page,
    'POST',
    '',
    topicPipe({ broker }, 'Parcels', 'parcels'),
  );
  await until('the bad records', async () => {
    const { errors } = await callPipes<{ errors: number }>(page, 'GET', `/${id}/metrics`);
    return errors === bad.length;
  });
  await page.goto(`/pipes/${id}?tab=errors`);
  await page.getByText(/^After you changed the pipe or its table/).waitFor();
  // A replay alone helps nobody.
  await button(page, 'Replay').click();
  await page.getByText(/^The last replay ended at .*: 0 stored, 2 refused again\.$/).waitFor();
  await callPipes(page, 'PATCH', `/${id}`, {
    fieldMappings: [
      { sourceField: 'id', destinationField: 'n' },
      { sourceField: 'note', destinationField: 'note' },
    ],
  });
  await button(page, 'Replay').click();
  await page.getByText(/^The last replay ended at .*: 1 stored, 1 refused again\.$/).waitFor();
  await page.getByText('1 of 1 record, newest first.').waitFor();
  const { rows, errors } = await callPipes<Record<'rows' | 'errors', number>>(
    page,
    'GET',
    `/${id}/metrics`,
  );
  expect({ rows, errors }).toEqual({ rows: 4, errors: 1 });
  await watch.isClean();
  await context.close();
});
