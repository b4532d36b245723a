import { defineConfig } from 'vitest/config';

// Files of one worker share their modules: to load them anew costs more than most files' tests.
// So no module may keep state that a test can see.
const common = { pool: 'forks', isolate: false } as const;

/**
 * Three projects. `unit`: pure code, tests beside it. `engine`: crosses rooms; the real embedded
 * store and engine, real HTTP on a free port; needs nothing but npm's packages. `peers`: needs
 * another program (PostgreSQL, a broker, …).
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    // `npm test` takes three: its suites wait for clocks and children now and then.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: ['src/**/*.engine.test.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'engine',
          include: ['test/**/*.test.ts'],
          exclude: ['test/peers/**', 'test/crash/**', 'test/**/*.slow.test.ts'],
          globalSetup: ['test/kit/build.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...common,
          name: 'peers',
          include: [
            'test/peers/**/*.test.ts',
            'test/crash/**/*.test.ts',
            'test/**/*.slow.test.ts',
            'web/e2e/**/*.spec.ts',
          ],
          globalSetup: ['test/kit/build.ts'],
          testTimeout: 300_000,
          // Two files run beside each other, each with programs and a browser of its own.
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
