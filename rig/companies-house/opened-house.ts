/** A simulated register for its own tests, with a clock that they set and readers of its streams. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { type CompaniesHouseOptions, type NewCompany, SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from './index.ts'

export const NUMBER = '07687209'

const STARTED_AT = new Date('2026-11-02T10:00:00Z')
export const clock = {
  at: STARTED_AT,
  now() {
    return this.at
  },
}

export let house: SimulatedCompaniesHouse
export let urls: Awaited<ReturnType<SimulatedCompaniesHouse['listen']>>

/** Opens the register that a test uses as `house`, until it ends. */
export async function openHouse(companies: NewCompany[], options: CompaniesHouseOptions): Promise<void> {
  clock.at = STARTED_AT
  house = SimulatedCompaniesHouse.fromCompanies(companies, { clock, imageDelayMs: null, ...options })
  urls = await house.listen()
}

afterEach(() => house.close())

export const authorization = (key: string) => ({ authorization: `Basic ${btoa(`${key}:`)}` })

// oxlint-disable-next-line typescript/no-explicit-any -- the tests read events freely
export type Json = any

/** Headers arrive with the first byte, so a quiet stream must be opened before the change and awaited after it. */
export async function readStream(stream: string, query = '', key = SIMULATED_STREAM_KEY) {
  const response = await fetch(`${urls.streamUrl}/${stream}${query}`, { headers: authorization(key) })
  const chunks: Uint8Array[] = []
  const readAll = async () => {
    for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array)
  }
  const ended = readAll().then(
    () => 'ended' as const,
    () => 'broken' as const,
  )
  /** Everything received so far. */
  const text = () => Buffer.concat(chunks).toString('utf8')
  const complete = () => text().split('\n').slice(0, -1).filter(Boolean)
  const events = async (count: number): Promise<Json[]> => {
    for (let waited = 0; waited < 200 && complete().length < count; waited += 1) await sleep(5)
    return complete().map((line) => JSON.parse(line))
  }
  return { status: response.status, text, events, ended }
}
