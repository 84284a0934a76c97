import { defineConfig } from 'vitest/config';
import { IS_LONG } from './test/support/sized.ts';

// viem, zod, kysely and the x402 SDK take a second to load. Without isolation a worker loads them once.
const common = {
  isolate: false,
  // Bounds for what never happens. What is slow on a busy machine is not wrong.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Rounds of the lab with real processes. Only a long run has them. */
const LONG = ['test/journeys/chaos.test.ts', 'test/journeys/load.test.ts'];

export default defineConfig({
  test: {
    // All cores: by default one is left idle, which on two cores is half of them.
    maxWorkers: '100%',
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      { test: { ...common, name: 'unit', include: ['src/**/*.test.ts', 'test/tidy.test.ts'] } },
      {
        test: {
          ...common,
          name: 'spec',
          include: ['test/*/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/crashes/**', 'test/journeys/**'],
        },
      },
      {
        test: {
          ...common,
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'test/crashes/**/*.test.ts'],
          globalSetup: './test/support/storing/shared-postgres.ts',
        },
      },
      {
        test: {
          ...common,
          name: 'journeys',
          isolate: true,
          include: ['test/journeys/**/*.test.ts'],
          exclude: LONG,
        },
      },
      { test: { ...common, name: 'long', isolate: true, include: IS_LONG ? LONG : [] } },
    ],
    coverage: {
      provider: 'v8',
      // Where a missed branch is a wrong payment, an open door or a stolen quota. Each folder's own unit tests reach it.
      include: ['src/core/verdict/**', 'src/core/url/**', 'src/core/access/**'],
      exclude: ['**/*.test.ts'],
      reporter: [
        ['text-summary', {}],
        ['html', {}],
      ],
      thresholds: { branches: 100 },
    },
  },
});
