import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CompaniesHouseOptions, SIMULATED_REST_KEY, SIMULATED_STREAM_KEY } from './index.ts'
import { authorization, clock, house, NUMBER, openHouse, readStream as read, urls } from './opened-house.ts'

const open = (options: CompaniesHouseOptions = {}) =>
  openHouse([{ number: NUMBER, name: 'CAFÉ & <SONS> LTD', incorporatedOn: '2024-08-12' }], options)

async function opened(stream: 'companies' | 'filings' | 'charges' | 'officers', count = 1): Promise<void> {
  for (let waited = 0; waited < 200 && house.stats.stream.of(stream).opened < count; waited += 1) await sleep(5)
}

describe('a stream', () => {
  it('announces a change as one line with the next timepoint', async () => {
    await open()
    const reading = read('companies')
    await opened('companies')
    const before = house.headOf('companies')
    house.changes.rename(NUMBER, 'Crème & <Daughters> Ltd')
    const reader = await reading
    const [event] = await reader.events(1)
    expect(event).toMatchObject({
      resource_kind: 'company-profile',
      resource_uri: `/company/${NUMBER}`,
      resource_id: NUMBER,
      data: { company_name: 'CRÈME & <DAUGHTERS> LTD', accounts: { overdue: true } },
      event: { timepoint: before + 1, published_at: '2026-11-02T10:00:00', type: 'changed' },
    })
    expect(Object.keys(event.data)).toEqual(Object.keys(event.data).toSorted())
    expect(reader.text()).toContain('CRÈME \\u0026 \\u003cDAUGHTERS\\u003e LTD')
    expect(event.data).not.toHaveProperty('has_charges')
  })

  it('announces a filing again when its document is there', async () => {
    await open({ imageDelayMs: 20 })
    const reading = read('filings')
    await opened('filings')
    house.changes.fileAccounts(NUMBER, { type: 'micro-entity' })
    const [first, second] = await (await reading).events(2)
    expect(first.data).toMatchObject({ type: 'AA', description: 'accounts-with-accounts-type-micro-entity' })
    expect(first.data.links).not.toHaveProperty('document_metadata')
    expect(first.event).not.toHaveProperty('fields_changed')
    expect(second.event.fields_changed).toEqual(['links.document_metadata'])
    expect(second.resource_uri).toBe(first.resource_uri)
    expect(second.data.links.document_metadata).toMatch(/^https:/)
  })

  it('replays from a timepoint on, that one included, and goes on live', async () => {
    await open()
    for (let times = 0; times < 5; times += 1) house.changes.touch(NUMBER)
    const head = house.headOf('companies')
    const reader = await read('companies', `?timepoint=${head - 1}`)
    expect(await reader.events(2)).toHaveLength(2)
    house.changes.touch(NUMBER)
    const events = await reader.events(3)
    expect(events.map(({ event }) => event.timepoint)).toEqual([head - 1, head, head + 1])
  })

  it('answers 416 to a timepoint too old or beyond its head, and 400 to nonsense', async () => {
    await open({ retention: { ms: 3_600_000 } })
    house.changes.touch(NUMBER)
    const head = house.headOf('companies')
    expect((await read('companies', `?timepoint=${head + 2}`)).status).toBe(416)
    expect((await read('companies', '?timepoint=-1')).status).toBe(400)
    expect((await read('companies', '?timepoint=abc')).status).toBe(400)
    clock.at = new Date(clock.at.getTime() + 3_600_001)
    expect((await read('companies', `?timepoint=${head}`)).status).toBe(416)
    expect((await read('nonsense')).status).toBe(404)
    expect((await read('companies', '', SIMULATED_REST_KEY)).status).toBe(401)
  })

  it('beats while it has nothing to say and is closed at the end of its life', async () => {
    await open({ stream: { heartbeatMs: 20, connectionLifeMs: 150 } })
    const reader = await read('officers')
    expect(reader.status).toBe(200)
    expect(await reader.ended).toBe('ended')
    expect(reader.text()).toMatch(/^\n{2,}$/)
    expect(house.stats.stream.connections.officers).toEqual({ opened: 1, open: 0, lines: 0 })
  })

  it('lets a third connection of a key push out the first', async () => {
    await open({ stream: { heartbeatMs: 10 } })
    const [first] = [await read('companies'), await read('filings'), await read('charges')]
    expect(await first?.ended).toBe('broken')
    expect(house.stats.stream.of('filings').open).toBe(1)
  })

  it('survives a restart: the timepoints go on', async () => {
    await open()
    house.changes.touch(NUMBER)
    const head = house.headOf('companies')
    const port = Number(new URL(urls.streamUrl).port)
    await house.close()
    house.changes.touch(NUMBER)
    await house.listen({ stream: port })
    const events = await (await read('companies', `?timepoint=${head}`)).events(2)
    expect(events.map(({ event }) => event.timepoint)).toEqual([head, head + 1])
  })
})

describe('faults', () => {
  it('cut a line in half, and the event is there again on the next connection', async () => {
    await open()
    house.changes.touch(NUMBER)
    const head = house.headOf('companies')
    house.faults.stream.set({ halfLine: { next: 1 } })
    const broken = await read('companies', `?timepoint=${head}`)
    expect(await broken.ended).toBe('broken')
    expect(broken.text()).toMatch(/^\{[^\n]+$/)
    const events = await (await read('companies', `?timepoint=${head}`)).events(1)
    expect(events[0].event.timepoint).toBe(head)
  })

  it('send a line twice, repeat an event under a new timepoint and split a character', async () => {
    await open()
    house.faults.stream.set({ duplicate: { next: 1 }, repeat: { next: 1 }, splitLine: { next: 1 } })
    house.changes.touch(NUMBER)
    const head = house.headOf('companies')
    const reader = await read('companies', `?timepoint=${head - 1}`)
    const events = await reader.events(3)
    expect(events.map(({ event }) => event.timepoint)).toEqual([head - 1, head - 1, head])
    expect(events.every(({ data }) => data.company_name === 'CAFÉ & <SONS> LTD')).toBe(true)
  })

  it('refuse connections', async () => {
    await open()
    house.faults.stream.set({ refuse: { next: 1 } })
    await expect(read('companies')).rejects.toThrow()
    house.faults.stream.set({ answer429: { next: 1 }, answer503: { next: 1 } })
    expect((await read('companies')).status).toBe(429)
    expect((await read('companies')).status).toBe(503)
    expect(house.stats.stream.byStatus).toEqual({ 0: 1, 429: 1, 503: 1 })
  })
})

it('a reader that stops for a while holds up only itself and loses nothing', async () => {
  await open()
  const count = 12_000
  const from = house.headOf('companies') + 1
  for (let times = 0; times < count; times += 1) house.changes.touch(NUMBER)
  const headers = authorization(SIMULATED_STREAM_KEY)
  const response = await fetch(`${urls.streamUrl}/companies?timepoint=${from}`, { headers })
  await sleep(100)
  expect(house.stats.stream.of('companies').lines).toBeLessThan(count)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString('latin1')
    if (text.slice(-200).includes(`"timepoint":${from + count - 1},`)) break
  }
  const timepoints = Array.from(text.matchAll(/"timepoint":(\d+)/g), ([, timepoint]) => Number(timepoint))
  expect(timepoints).toEqual(Array.from({ length: count }, (_, index) => from + index))
})
