import { expect, inject, test } from 'vitest'
import { openConnection } from './connection.ts'

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
