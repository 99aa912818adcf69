/** A list of the console with its filter is saved under a name, for the person alone. */
import { expect, test } from 'vitest'
import { type TestAccount, useTestService } from './setup/harness.ts'

const it = useTestService()

const VIEW = { name: 'Doubtful names', path: '/review', query: 'doubt=named&sort=newest' }
const save = ({ token }: TestAccount, body: object) => it.call('POST', '/v1/account/views', { token, body })
const list = async ({ token }: TestAccount) => (await it.call('GET', '/v1/account/views', { token })).body.data
const remove = ({ token }: TestAccount, id: string) => it.call('DELETE', `/v1/account/views/${id}`, { token })

test('a view is saved, listed, replaced under its name, removed, and saved again as it was', async () => {
  const person = await it.openAccount()
  const saved = await save(person, VIEW)
  expect([saved.status, saved.body]).toEqual([
    201,
    { ...VIEW, id: expect.stringMatching(/^viw_/), saved_at: expect.any(String) },
  ])
  expect((await save(person, { ...VIEW, query: 'doubt=several' })).body.id).toBe(saved.body.id)
  await save(person, { ...VIEW, path: '/audit', query: '' })
  expect(await list(person)).toMatchObject([{ path: '/audit' }, { path: '/review', query: 'doubt=several' }])
  const { status, body } = await remove(person, saved.body.id)
  expect([status, body.query]).toEqual([200, 'doubt=several'])
  expect((await remove(person, saved.body.id)).status).toBe(404)
  expect((await remove(person, 'x'.repeat(65))).status).toBe(400)
  expect((await save(person, { name: body.name, path: body.path, query: body.query })).status).toBe(201)
  expect(await list(await it.openAccount())).toEqual([])
})

test('only lists of the console with a short query are saved, and at most a hundred', async () => {
  const person = await it.openAccount()
  const wrong = [
    { ...VIEW, name: ' ' },
    { ...VIEW, name: 'x'.repeat(61) },
    { ...VIEW, path: 'https://elsewhere.example' },
    { ...VIEW, path: '/settings' },
    { ...VIEW, path: '//elsewhere.example' },
    { ...VIEW, query: 'x'.repeat(2_001) },
    { ...VIEW, query: 'with a space' },
  ]
  for (const body of wrong) expect([(await save(person, body)).status, body]).toEqual([400, body])
  await it.app.db.query(
    `insert into saved_view (id, account_id, name, path, query, saved_at)
     select 'viw_' || n, $1, 'View ' || n, '/audit', '', now() from generate_series(1, 99) n`,
    [person.id],
  )
  const both = await Promise.all([save(person, VIEW), save(person, { ...VIEW, name: 'One more' })])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 400]))
  expect(await list(person)).toHaveLength(100)
})
