import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { canBuildTables, rebuildSearchIndex } from './search/search-index.ts'

/** Once a month: the search ranks by how common each word is, and only a rebuild counts all words again. */
export const rebuildSearchJob = defineJob({
  name: 'register.rebuild_search',
  retriesMax: 2,
  retryDelaySeconds: 600,
  timeoutSeconds: 7_200,
  schedule: '0 3 8 * *',
  async run(app: App) {
    // A role that only serves cannot make tables: the owner's `nameplated register rebuild-search` does it then.
    if (!(await canBuildTables(app.db))) return app.log.info({ event: 'register.search_rebuild_left_to_owner' })
    const { names, words, seconds } = await rebuildSearchIndex(app.db)
    app.log.info({ event: 'register.search_rebuilt', names, words, seconds: Math.round(seconds) })
  },
})
