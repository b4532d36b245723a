/** The layering table of docs/house.md, machine-checked. A room may import itself and what `may` lists. */
const rooms = {
  contract: { may: [], npm: ['zod'] },
  sql: { may: [], npm: [] },
  ports: { may: ['contract', 'sql'], npm: [] },
  core: { may: ['contract', 'ports', 'sql'] },
  adapters: { may: ['contract', 'ports', 'sql'] },
  http: { may: ['contract', 'ports', 'core'] },
  'app/config': { may: ['app/address.ts'], npm: ['zod'] },
  demo: { may: ['contract', 'ports'] },
  cli: {
    may: ['app', 'demo', 'contract', 'ports', 'core/audit', 'core/identity', 'adapters/ambient'],
  },
  'main.ts': { may: ['cli'] },
};

const outside = Object.entries(rooms).map(([room, { may }]) => ({
  name: `${room}-imports`,
  comment: `src/${room} may import only itself${may.length ? ' and ' + may.join(', ') : ''} from src.`,
  severity: 'error',
  from: { path: `^src/${room}(/|$)`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [room, ...may].map((name) => `^src/${name}(/|$)`) },
}));

module.exports = {
  forbidden: [
    ...outside,
    {
      name: 'no-cycles',
      comment: 'Two files that need each other, be it for a type, are one file or want a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
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
      comment:
        'resources, identity, audit, alerting, pipes, otlp and status use query, verb and webhook, never each other.',
      severity: 'error',
      from: {
        path: '^src/core/(resources|identity|audit|alerting|pipes|otlp|status)/',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^src/core/(resources|identity|audit|alerting|pipes|otlp|status)/',
        pathNot: '^src/core/$1/',
      },
    },
    {
      name: 'verbs-write-through-commit',
      comment: 'A verb reads a StoreReader. It writes through `commit`, which adds the audit line.',
      severity: 'error',
      from: {
        path: '^src/core/(resources|identity|query|otlp|status|alerting/api|pipes/api|pipes/kinds|verb/(crud|draft)\\.ts)',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^src/ports/store/store\\.ts$' },
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
      name: 'whole-above-parts',
      comment: 'Nothing below them imports app, main.ts, cli or demo.',
      severity: 'error',
      from: { path: '^src/(contract|sql|ports|core|adapters|http)/' },
      to: { path: '^src/main\\.ts$|^src/(app|cli|demo)/' },
    },
    {
      name: 'web-imports-the-contract-only',
      comment: 'The web interface is a client of the public API: of src it knows the contract.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/contract/' },
    },
    {
      name: 'web-contract-by-type',
      comment: 'The contract needs zod, which no first load has: by value only in lazy forms.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.(form|test)\\.ts$' },
      to: { path: '^src/contract/|node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-in-the-browser',
      comment: 'Nothing of Node.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-screens-apart',
      comment: 'A screen never imports another screen.',
      severity: 'error',
      from: { path: '^web/src/screens/([^/]+)/' },
      to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
    },
    {
      name: 'web-parts-below-screens',
      comment:
        'view, kit, charts, editor, api, tiles, alerting, pipes and webhooks know no screen and no shell.',
      severity: 'error',
      from: { path: '^web/src/(view|kit|charts|editor|api|tiles|alerting|pipes|webhooks)/' },
      to: { path: '^web/src/(shell|screens|router|main)' },
    },
    {
      name: 'web-looks-without-server',
      comment: 'Only tiles, screens and the shell ask the server.',
      severity: 'error',
      from: { path: '^web/src/(view|kit|charts|editor)/' },
      to: { path: '^web/src/(api|tiles|alerting|pipes|webhooks)/' },
    },
    {
      name: 'web-view-is-pure',
      comment: 'view imports nothing of the interface.',
      severity: 'error',
      from: { path: '^web/src/view/', pathNot: '\\.test\\.ts$' },
      to: { path: '^web/src/', pathNot: '^web/src/view/' },
    },
    {
      name: 'web-radix-in-kit',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/src/kit/' },
      to: { path: 'node_modules/(radix-ui|@radix-ui)/' },
    },
    {
      name: 'web-uplot-in-charts',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/src/charts/' },
      to: { path: 'node_modules/uplot/' },
    },
    {
      name: 'web-codemirror-in-editor',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/src/editor/' },
      to: { path: 'node_modules/(@codemirror|@lezer)/' },
    },
    {
      name: 'web-editor-is-lazy',
      comment: 'The editor is no part of a first load.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/editor/' },
      to: { path: '^web/src/editor/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
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
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
