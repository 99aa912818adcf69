import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs.ts'
import { rebuildSearchIndex } from './search-index.ts'

/** Once a month: the search counts how common each word is, and only building it anew counts them all again. */
export const rebuildSearchJob = defineJob({
  name: 'register.rebuild_search',
  concurrency: 1,
  retriesMax: 2,
  retryDelaySeconds: 600,
  timeoutSeconds: 7_200,
  schedule: '0 3 8 * *',
  async run(app: App) {
    const { names, words, seconds } = await rebuildSearchIndex(app.db)
    app.log.info({ event: 'register.search_rebuilt', names, words, seconds: Math.round(seconds) })
  },
})
