import type { App } from '../../../src/app.ts'
import { type AnyJob, defineJob } from '../../../src/lib/jobs/jobs.ts'

/** Nothing to do: what is left is what the engine itself costs. */
export function emptyJob(onRun: () => void = () => undefined): AnyJob<App> {
  return defineJob({
    name: 'bench.empty',
    // As in `bench -- jobs`, so that the two benchmarks tell of the same engine.
    concurrency: 100,
    retriesMax: 2,
    retryDelaySeconds: 1,
    timeoutSeconds: 60,
    async run() {
      onRun()
    },
  })
}
