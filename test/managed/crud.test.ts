import { expect } from 'vitest';
import { crudSuite } from '../api/crud-suite.ts';

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

crudSuite(
  {
    name: 'managed',
    calls: async (api) => ({
      mine: api.managed.stack,
      strangers: (await api.newKey(['admin'], await api.newOrganization())).stack,
    }),
    value: (json) => json.result,
    wrap: (result) => ({ result }),
    envelope: () => ({ status: 200, requestId: expect.stringMatching(uuid4) as string }),
    message: (json) => json.error,
    words: {
      bad: { status: 400, error: expect.stringMatching(/^BAD_REQUEST: /) as string },
      missing: (noun) => ({ status: 404, error: `NOT_FOUND: ${noun} not found` }),
    },
  },
  ['dashboard', 'alert', 'saved search'],
);
