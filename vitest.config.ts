import { defineConfig } from 'vitest/config'

// `unit` needs nothing but Node and runs in `npm run check`; `service` runs against a real PostgreSQL and real sockets.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'rig/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/*.test.ts', 'src/**/*.db.test.ts'],
          globalSetup: ['test/setup/log-watch.ts', 'test/setup/postgres.ts', 'test/setup/built-console.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          // A busy machine takes its time; what never comes is still found out.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
    maxWorkers: 3,
  },
})
