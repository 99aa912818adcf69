import { resolveDomainJob } from '../../../src/resolution/jobs.ts'
import { type Curve, fillTables } from './curve.ts'

/** Where the engine keeps the jobs of all queues that have no table of their own. */
const TABLE = 'pgboss.job_common'

export const JOB_BACKLOG: Curve = {
  name: 'job',
  does: 'pick up a job',
  rows: 'jobs that wait',
  tables: [TABLE],
  async grow(world, { from, to }) {
    const { app, client } = world
    // The engine writes one as it would be; the others are its copies.
    const id = await app.db.transaction((tx) => app.jobs.enqueue(tx, resolveDomainJob, { domain: 'waiting.co.uk' }))
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = '${TABLE}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
    const values = rows.map(({ name }) => {
      if (name === 'id') return 'uuidv7()'
      return name === 'created_on' ? `created_on + n * interval '1 microsecond'` : name
    })
    await fillTables(world, [TABLE], () =>
      client.query(
        `insert into ${TABLE} (${rows.map(({ name }) => name).join(', ')})
         select ${values.join(', ')} from ${TABLE} cross join generate_series($2::integer + 2, $3::integer) n where id = $1`,
        [id, from, to],
      ),
    )
    return async () => {
      const claimed = await app.jobs.fetch(resolveDomainJob.name, 1)
      if (claimed.length !== 1) throw new Error('no job was picked up')
    }
  },
}
