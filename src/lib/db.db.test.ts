import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { Database, onlyRow } from './db.ts'

const db = new Database({ url: inject('postgresUrl'), connectionsMax: 2, applicationName: 'test' })
afterAll(() => db.close())

test('a connection that breaks between two statements fails its transaction and not the process', async () => {
  const broken = db.transaction(async (tx) => {
    const { pid } = onlyRow(await tx.query<{ pid: number }>('select pg_backend_pid() as pid'))
    await db.query('select pg_terminate_backend($1)', [pid])
    // Nobody waits for the connection at this moment.
    await sleep(300)
    await tx.query('select 1')
  })
  await expect(broken).rejects.toThrow()
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})
