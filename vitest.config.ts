import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Every test file has a process of its own, which compiles the same modules: the compiled code is kept beside the packages.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

// A busy machine takes its time; what never comes is still found out.
const PATIENCE = { testTimeout: 90_000, expect: { poll: { timeout: 15_000 } } }

// `unit` needs nothing but Node and runs in `npm run check`; `service` runs against a real PostgreSQL and real sockets.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'rig/**/*.test.ts', 'test/house/**/*.test.ts', 'test/sheets/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
          ...PATIENCE,
          // Pure parts keep no state, so files can share a process.
          isolate: false,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/*.test.ts', 'src/**/*.db.test.ts'],
          globalSetup: ['test/setup/log-watch.ts', 'test/setup/postgres.ts', 'test/setup/built-console.ts'],
          ...PATIENCE,
          hookTimeout: 60_000,
        },
      },
    ],
    maxWorkers: 3,
    // Node runs TypeScript itself, and no module is mocked.
    experimental: { viteModuleRunner: false },
  },
})
