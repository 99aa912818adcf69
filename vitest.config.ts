import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The processes of tests, and those that tests start, compile the same modules: the compiled code is kept beside the packages.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

const COMMON = {
  // A busy machine takes its time. Only what never comes runs into these.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // Files share a process, in which modules are loaded and compiled once: a file closes what it opens, and no module keeps what
  // another file could see. Alone, each would take 1.4 times the CPU.
  isolate: false,
}

// `unit` needs nothing but Node and runs in `npm run check`; `service` runs against a real PostgreSQL and real sockets.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'packages/**/*.test.ts',
            'rig/**/*.test.ts',
            'test/house/**/*.test.ts',
            'test/sheets/**/*.test.ts',
          ],
          exclude: ['**/*.db.test.ts'],
          ...COMMON,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/*.test.ts', 'src/**/*.db.test.ts'],
          globalSetup: ['test/setup/log-watch.ts', 'test/setup/postgres.ts', 'test/setup/built-console.ts'],
          ...COMMON,
        },
      },
    ],
    maxWorkers: 3,
    // Node runs TypeScript itself, and no module is mocked.
    experimental: { viteModuleRunner: false },
  },
})
