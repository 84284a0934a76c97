import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { IS_LONG } from './test/support/sized.ts';

const MEMORY_DISK = '/dev/shm';
const ENOUGH_BYTES = 2 ** 31;

/** In memory where there is room. No test pulls the plug of the machine, so waiting for the disk would prove nothing. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    // PostgreSQL's programs are copied there and run.
    const isRunnable = !mounts.some((line) => line.includes(` ${MEMORY_DISK} `) && line.includes('noexec'));
    return isRunnable && bavail * bsize > ENOUGH_BYTES ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

// viem, zod, kysely and the x402 SDK take a second to load. Without isolation a worker loads them once.
const common = {
  isolate: false,
  env: { TMPDIR: temporaryFolder() },
  // Bounds for what never happens. What is slow on a busy machine is not wrong.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 120_000 } },
};

/** What takes too long to be run before every commit. */
const leftOut = IS_LONG ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    // More than there are cores: many tests wait for another process, a lease or a database.
    maxWorkers: availableParallelism() + 2,
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/tidy.test.ts'],
          exclude: leftOut,
        },
      },
      {
        test: {
          ...common,
          name: 'spec',
          include: ['test/*/**/*.test.ts'],
          exclude: ['test/contract/**', 'test/crashes/**', 'test/journeys/**', ...leftOut],
        },
      },
      {
        test: {
          ...common,
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'test/crashes/**/*.test.ts'],
          exclude: leftOut,
          globalSetup: './test/support/storing/shared-postgres.ts',
        },
      },
      {
        test: {
          ...common,
          name: 'journeys',
          isolate: true,
          include: ['test/journeys/**/*.test.ts'],
          exclude: leftOut,
        },
      },
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
