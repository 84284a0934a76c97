import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // All cores: by default one is left idle, which on two cores is half of them.
    maxWorkers: '100%',
    // No test is about time: a loaded machine may take long over the random ones.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/closing-line.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: [
        ['text-summary', {}],
        ['html', {}],
      ],
      // Where a missed branch is a wrong payment, an open door or a stolen quota.
      thresholds: {
        'src/core/verdict/**': { branches: 100 },
        'src/core/url/**': { branches: 100 },
        'src/core/access/**': { branches: 100 },
      },
    },
  },
});
