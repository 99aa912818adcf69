import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { type NewCompany, SIMULATED_REST_KEY, SimulatedCompaniesHouse } from './index.ts'

const clock = { now: () => new Date('2026-11-02T10:00:00Z') }
const COMPANIES: NewCompany[] = [
  {
    number: 'SC123456',
    name: 'ZEBRA "STRIPES" LIMITED',
    address: { care_of: 'A SMITH', address_line_1: '1 HIGH STREET', locality: 'PERTH', postal_code: 'PH1 1AA' },
    incorporatedOn: '2010-03-04',
    status: 'Active - Proposal to Strike off',
    sicCodes: ['62012', '70229'],
    previousNames: [{ name: 'HORSE LIMITED', changedOn: '2015-06-07' }],
    undescribedCharges: { outstanding: 2, partSatisfied: 0, satisfied: 1 },
  },
  { number: '07687209', name: 'ACME LTD', incorporatedOn: '2024-08-12' },
  { number: '01234567', name: 'GONE LTD', incorporatedOn: '2001-02-03', status: 'Dissolved' },
]
const opened: SimulatedCompaniesHouse[] = []

afterEach(async () => {
  for (const house of opened.splice(0)) await house.close()
})

async function listen(house: SimulatedCompaniesHouse) {
  opened.push(house)
  return house.listen()
}

async function download(bulkUrl: string): Promise<string> {
  const page = await (await fetch(`${bulkUrl}/en_output.html`)).text()
  const file = /href="([^"]+\.zip)"/.exec(page)?.[1]
  expect(file).toBe('BasicCompanyDataAsOneFile-2026-11-01.zip')
  const response = await fetch(`${bulkUrl}/${file}`)
  const archive = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(archive.length))
  const nameLength = archive.readUInt16LE(26)
  expect(archive.subarray(30, 30 + nameLength).toString()).toBe('BasicCompanyDataAsOneFile-2026-11-01.csv')
  const content = inflateRawSync(archive.subarray(30 + nameLength, 30 + nameLength + archive.readUInt32LE(18)))
  expect(crc32(content)).toBe(archive.readUInt32LE(14))
  expect(content.length).toBe(archive.readUInt32LE(22))
  return content.toString('utf8')
}

it('the bulk file has the published header and a quoted row per live company, ordered by name', async () => {
  const house = SimulatedCompaniesHouse.fromCompanies(COMPANIES, { clock, imageDelayMs: null })
  const { bulkUrl } = await listen(house)
  const [header = '', acme = '', zebra = '', end, ...more] = (await download(bulkUrl)).split('\n')
  expect(header.split(',')).toHaveLength(55)
  expect(header).toMatch(
    /^CompanyName, CompanyNumber,RegAddress\.CareOf,.*, PreviousName_2\.CONDATE, PreviousName_2\.Comp/,
  )
  expect(header).toMatch(/ConfStmtNextDueDate, ConfStmtLastMadeUpDate$/)
  expect([end, more]).toEqual(['', []])
  expect(acme).toMatch(/^"ACME LTD","07687209",.*"None Supplied","","","","0","0","http:\/\/business\.data\.gov\.uk\//)
  expect(zebra).toMatch(/^"ZEBRA ""STRIPES"" LIMITED","SC123456","A SMITH","","1 HIGH STREET","","PERTH",/)
  expect(zebra).toContain('"3","2","0","1","62012 - ')
  expect(zebra).toContain('"07/06/2015","HORSE LIMITED"')
})

it('a world folder is served as it was written', async () => {
  const made = SimulatedCompaniesHouse.fromCompanies(COMPANIES, { clock })
  const csv = await download((await listen(made)).bulkUrl)
  const directory = mkdtempSync(join(tmpdir(), 'world-'))
  try {
    writeFileSync(join(directory, 'register.csv'), csv)
    const officer = {
      name: 'KERSHAW, Niamh',
      officer_role: 'director',
      links: { self: '/company/07687209/appointments/a1' },
    }
    const details = { company_number: '07687209', officers: [officer], charges: [], insolvency: null }
    writeFileSync(join(directory, 'companies.jsonl'), `${JSON.stringify(details)}\n`)
    const loaded = SimulatedCompaniesHouse.fromWorld(directory, { clock })
    const { bulkUrl, restUrl } = await listen(loaded)
    expect(await download(bulkUrl)).toBe(csv)
    const headers = { authorization: `Basic ${btoa(`${SIMULATED_REST_KEY}:`)}` }
    const officers = await (await fetch(`${restUrl}/company/07687209/officers`, { headers })).json()
    expect(officers).toMatchObject({ active_count: 1, items: [{ name: 'KERSHAW, Niamh' }] })
    const profile = await (await fetch(`${restUrl}/company/SC123456`, { headers })).json()
    expect(profile).toMatchObject({ has_charges: true, sic_codes: ['62012', '70229'] })
  } finally {
    rmSync(directory, { recursive: true })
  }
})
