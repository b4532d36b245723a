import { defineConfig } from 'vitest/config';

// Files of one worker share their modules: to load them anew costs more than most files' tests.
// So no module may keep state that a test can see.
const common = { pool: 'forks', isolate: false } as const;

/** What the suites that need another program, or minutes, have in common. */
const slow = {
  ...common,
  globalSetup: ['test/kit/build.ts'],
  testTimeout: 300_000,
  // Files run beside one another, each with programs and a browser of its own.
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 120_000,
};

/**
 * Four projects. `unit`: pure code, tests beside it. `engine`: crosses rooms; the real embedded
 * store and engine, real HTTP on a free port; needs nothing but npm's packages. `peers`: needs
 * another program (PostgreSQL, a broker, …), and mostly waits for it. `busy`: browsers and hostile
 * load, which keep the processors busy. It runs after `peers`.
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
          ...slow,
          name: 'peers',
          include: ['test/peers/**/*.test.ts', 'test/crash/**/*.test.ts', 'test/**/*.slow.test.ts'],
          exclude: ['test/robustness/**'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...slow,
          name: 'busy',
          include: ['test/robustness/**/*.slow.test.ts', 'web/e2e/**/*.spec.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
