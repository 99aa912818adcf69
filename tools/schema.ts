/** Writes schema.sql from a freshly migrated database. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ScratchDatabase } from '../rig/scratch-database.ts'
import { Database } from '../src/lib/db/db.ts'
import { migrate, readDefinitions, readMigrations } from '../src/lib/db/migrate.ts'
import { dumpSchema } from './dump-schema.ts'

const ROOT = join(import.meta.dirname, '..')

await using scratch = await ScratchDatabase.open()
const definitions = await readDefinitions(join(ROOT, 'src'))
await migrate(scratch.url, await readMigrations(join(ROOT, 'migrations')), definitions)
const db = new Database({ url: scratch.url, connectionsMax: 2, applicationName: 'schema' })
writeFileSync(join(ROOT, 'schema.sql'), await dumpSchema(db))
await db.close()
console.log('wrote schema.sql')
