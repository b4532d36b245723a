/** The layering table of docs/house.md, machine-checked. A room may import itself and what `may` lists. */
const rooms = {
  contract: { may: [], npm: ['zod'] },
  sql: { may: [], npm: [] },
  ports: { may: ['contract', 'sql'], npm: [] },
  core: { may: ['contract', 'ports', 'sql'] },
  adapters: { may: ['contract', 'ports', 'sql'] },
  http: { may: ['contract', 'ports', 'core'] },
};

const outside = Object.entries(rooms).map(([room, { may }]) => ({
  name: `${room}-imports`,
  comment: `src/${room} may import only itself${may.length ? ' and ' + may.join(', ') : ''} from src.`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [room, ...may].map((name) => `^src/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...outside,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contract-is-portable',
      comment: 'The web application imports the contract: zod and nothing of Node.',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
        pathNot: 'node_modules/zod/',
      },
    },
    {
      name: 'core-siblings',
      comment: 'resources, alerting, pipes and otlp use query and the verb, never each other.',
      severity: 'error',
      from: { path: '^src/core/(resources|alerting|pipes|otlp)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/core/(resources|alerting|pipes|otlp)/', pathNot: '^src/core/$1/' },
    },
    {
      name: 'core-without-sdk',
      comment: 'The core talks to the world through ports.',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: {
        path: 'node_modules/(kysely|libsql|pg|chdb|@clickhouse|fastify|undici|kafkajs|@aws-sdk|@azure)/',
      },
    },
    {
      name: 'adapters-apart',
      comment: 'An adapter never imports another adapter.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    },
    {
      name: 'connectors-apart',
      comment: 'A connector kind never imports another kind.',
      severity: 'error',
      from: { path: '^src/adapters/connectors/([^/]+)/' },
      to: { path: '^src/adapters/connectors/[^/]+/', pathNot: '^src/adapters/connectors/$1/' },
    },
    {
      name: 'environment-in-one-place',
      comment: 'Only app.ts, main.ts, config.ts and cli see the whole.',
      severity: 'error',
      from: { path: '^src/(contract|sql|ports|core|adapters|http)/' },
      to: { path: '^src/(app|main|config)\\.ts$|^src/(cli|demo)/' },
    },
    {
      name: 'no-orphan-test-import',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
