import { crudSuite } from './crud-suite.ts';

crudSuite(
  {
    name: 'open source',
    calls: async (api) => ({ mine: api.call, strangers: (await api.newCaller()).call }),
    value: (json) => json.data,
    wrap: (data) => ({ data }),
    envelope: (meta) => (meta ? { meta } : {}),
    message: (json) => json.message,
    words: {
      bad: { code: 'bad_request' },
      missing: (noun) => ({ message: `${noun} not found`, code: 'not_found' }),
    },
  },
  ['webhook', 'dashboard', 'alert', 'saved search', 'source'],
);
