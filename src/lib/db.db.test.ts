import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, inject, test } from 'vitest'
import { Database, onlyRow } from './db/db.ts'

const db = new Database({ url: inject('postgresUrl'), connectionsMax: 2, applicationName: 'test' })
afterAll(() => db.close())

test('a connection that breaks between two statements fails its transaction and not the process', async () => {
  const broken = db.transaction(async (tx) => {
    const { pid } = onlyRow(await tx.query<{ pid: number }>('select pg_backend_pid() as pid'))
    await db.query('select pg_terminate_backend($1)', [pid])
    // No query waits for the connection at this moment.
    await sleep(300)
    await tx.query('select 1')
  })
  await expect(broken).rejects.toThrow()
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a connection whose server only reads from now on is not used again', async () => {
  const pidOf = async (tx: Pick<Database, 'query'>) =>
    onlyRow(await tx.query<{ pid: number }>('select pg_backend_pid() as pid')).pid
  const one = new Database({ url: inject('postgresUrl'), connectionsMax: 1, applicationName: 'test' })
  let before = 0
  const refused = one.transaction(async (tx) => {
    before = await pidOf(tx)
    await tx.query('set transaction read only')
    await tx.query('create table never (id int)')
  })
  await expect(refused).rejects.toMatchObject({ code: '25006' })
  expect(await pidOf(one)).not.toBe(before)
  await one.close()
})

test('a connection that breaks while it is handed from one to the next does not end the process', async () => {
  const client = await db.pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await db.query('select pg_terminate_backend($1)', [onlyRow(rows).pid])
  // Without a listener of the query that waited for it.
  await sleep(300)
  client.release(true)
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})
