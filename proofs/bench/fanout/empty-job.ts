import type { App } from '../../../src/app.ts'
import { type AnyJob, defineJob } from '../../../src/lib/jobs/jobs.ts'

/** Returns a job with nothing to do, so that running it costs what the engine costs. */
export function emptyJob(onRun: () => void = () => undefined): AnyJob<App> {
  return defineJob({
    name: 'bench.empty',
    // As in `bench -- jobs`, so that both benchmarks measure the same engine.
    concurrency: 100,
    retriesMax: 2,
    retryDelaySeconds: 1,
    timeoutSeconds: 60,
    async run() {
      onRun()
    },
  })
}
