import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAlertParams } from './screens/alert/params.ts';
import { readMaintenanceParams } from './screens/alerts/maintenance/params.ts';
import { readAlertsParams } from './screens/alerts/params.ts';
import { readNewAlertParams } from './screens/alert-editor/params.ts';
import { readDashboardParams } from './screens/dashboard/params.ts';
import { readDashboardsParams } from './screens/dashboards/params.ts';
import { readExploreParams } from './screens/explore/params.ts';
import { readMetricsParams } from './screens/metrics/params.ts';
import { readOrganizationParams } from './screens/organization/params.ts';
import { readPipeParams } from './screens/pipe/params.ts';
import { readNewPipeParams } from './screens/pipe-new/params.ts';
import { readPipesParams } from './screens/pipes/params.ts';
import { readSearchParams } from './screens/search/params.ts';
import { readListParams } from './screens/settings/params.ts';
import { readSourcesParams } from './screens/settings/sources/params.ts';
import { readServicesParams } from './screens/services/params.ts';
import { readSignInParams } from './screens/sign-in/params.ts';
import { readTraceParams } from './screens/trace/params.ts';
import { readWebhookParams } from './screens/webhooks/params.ts';
import { compact, parseSearch, stringifySearch } from './view/url-state.ts';

/** Every route that reads its address. */
const routes = {
  alert: readAlertParams,
  alerts: readAlertsParams,
  dashboard: readDashboardParams,
  dashboards: readDashboardsParams,
  explore: readExploreParams,
  maintenance: readMaintenanceParams,
  metrics: readMetricsParams,
  'new alert': readNewAlertParams,
  'new pipe': readNewPipeParams,
  organization: readOrganizationParams,
  pipe: readPipeParams,
  pipes: readPipesParams,
  search: readSearchParams,
  services: readServicesParams,
  'settings, lists': readListParams,
  'sign-in': readSignInParams,
  sources: readSourcesParams,
  trace: readTraceParams,
  webhook: readWebhookParams,
} satisfies Record<string, (raw: Record<string, unknown>) => object>;

/** Values that some parameter takes, and others that none should. */
const value = fc.oneof(
  fc.constantFrom('now', 'now-30m', 'now-7d', 'true', '1', '42', 'map', 'all', 'rate', 'firing'),
  fc.constantFrom(
    '/search?q=slow',
    'deliveries',
    'attributes',
    'table',
    'errors',
    'Failed',
    'kafka',
    'connection',
    'audit',
    'denied',
    'user',
  ),
  fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 }).map(String),
  fc.string({ minLength: 24, maxLength: 24, unit: fc.constantFrom(...'0123456789abcdef') }),
  fc.uuid(),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.array(fc.string({ maxLength: 10 }), { maxLength: 4 }).map((parts) => parts.join(',')),
);
const hostile = fc.oneof(
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.constantFrom(
    '//evil',
    '/\\evil',
    'https://evil',
    'javascript:alert(1)',
    '__proto__',
    '~',
    '%',
  ),
);

describe.each(Object.entries(routes))('the address of %s', (_name, readParams) => {
  const read = (url: string): object => compact({ ...readParams(parseSearch(url)) });
  const names = Object.keys(readParams({}));
  const raw = (values: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> =>
    fc.dictionary(fc.constantFrom(...names), values);

  it('has the whole state: what was read from it comes back from the address made of it', () => {
    expect(names.length).toBeGreaterThan(0);
    let understood = 0;
    fc.assert(
      fc.property(raw(value), (given) => {
        const state = read(stringifySearch(given));
        understood += Object.keys(state).length;
        expect(read(stringifySearch({ ...state }))).toEqual(state);
      }),
      { numRuns: 1000 },
    );
    expect(understood).toBeGreaterThan(0);
  });

  it('is never an error, and leads nowhere else, whatever it holds', () => {
    fc.assert(
      fc.property(raw(hostile), (given) => {
        const state: { next?: string } = read(stringifySearch(given));
        expect(state.next ?? '/').toMatch(/^\/(?![/\\])/);
        expect(read(stringifySearch({ ...state }))).toEqual(state);
      }),
    );
    expect(Object.prototype).not.toHaveProperty('op');
  });

  it.each(names)('a megabyte of %s is left out', (name) => {
    expect(read(`?${name}=${'is|a|b,'.repeat(149_797)}`)).toEqual({});
  });
});
