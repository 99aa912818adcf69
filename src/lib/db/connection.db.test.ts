import { expect, inject, test } from 'vitest'
import { openConnection } from './connection.ts'
import { Database } from './db.ts'

test('a server that ends a connection between two statements fails the next statement, and not the process', async () => {
  const url = inject('postgresUrl')
  const [ended, other] = [await openConnection(url), await openConnection(url)]
  const [own] = (await ended.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  const isOver = new Promise<void>((done) => ended.once('end', done))
  await other.query('select pg_terminate_backend($1)', [own?.pid])
  await isOver
  await expect(ended.query('select 1')).rejects.toThrow()
  await other.end()
})

test('a date begins at midnight UTC, and a moment has its date there, whatever the zone of the server', async () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('options', '-c TimeZone=Pacific/Auckland')
  const text = `select '2026-07-01'::date::timestamptz as start, ('2026-07-01T23:30:00Z'::timestamptz)::date::text as day`
  const expected = [{ start: new Date('2026-07-01T00:00:00Z'), day: '2026-07-01' }]
  for (const plansOnce of [false, true]) {
    const db = new Database({ url: url.href, connectionsMax: 1, applicationName: 'test', plansOnce })
    expect(await db.query(text)).toEqual(expected)
    expect(await db.transaction((tx) => tx.query(text))).toEqual(expected)
    await db.close()
  }
  const client = await openConnection(url.href)
  expect((await client.query(text)).rows).toEqual(expected)
  await client.end()
})
