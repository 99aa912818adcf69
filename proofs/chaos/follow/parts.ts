/** The officers and owners of a company, as we have them beside what the register's REST API lists. */
import { SIMULATED_REST_KEY, type SimulatedCompaniesHouse } from '../../../rig/companies-house/index.ts'
import type { App } from '../../../src/app.ts'
import { type LooseRecord, stableText, toInteger, toList, toRecord } from '../../../src/lib/text/loose-json.ts'
import { openDownload } from '../../../src/lib/web/download.ts'
import { identifyItem, parseOfficer } from '../../../src/register/details/part-items.ts'
import { importPscs, openPscSnapshot, silentProgress } from '../../../src/register/index.ts'
import { isPerson, readPscId, toPscRecord, toPscRow } from '../../../src/register/pscs/psc-row.ts'
import { listPscRecords } from '../../../src/register/pscs/stored-pscs.ts'

const OWNER_KIND = 'individual-person-with-significant-control'
const STATEMENT_KIND = 'persons-with-significant-control-statement'

export const firstOwnerOf = (number: string) => `first-${number}`
export const firstStatementOf = (number: string) => `statement-${number}`

/** Returns the records that a company has before anything changes: an owner and a statement. */
export function createOwners(number: string) {
  const address = `/company/${number}/persons-with-significant-control`
  const shared = { notified_on: '2016-04-06', etag: '1' }
  return [
    {
      ...shared,
      kind: OWNER_KIND,
      name: 'First Owner',
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      links: { self: `${address}/individual/${firstOwnerOf(number)}` },
    },
    {
      ...shared,
      kind: STATEMENT_KIND,
      statement: 'psc-exists-but-not-identified',
      links: { self: `${address}-statements/${firstStatementOf(number)}` },
    },
  ]
}

/** Imports the register's file of all owners. */
export async function importOwners(app: App, bulkUrl: string): Promise<void> {
  const index = await (await fetch(new URL('/en_pscdata.html', bulkUrl))).text()
  const parts = [...index.matchAll(/href="([^"]+\.zip)"/g)].map(([, name = '']) => new URL(`/${name}`, bulkUrl).href)
  const file = await openPscSnapshot(parts, openDownload)
  const { rowsRead } = await importPscs(app, file, silentProgress)
  await file.close()
  if (rowsRead === 0) throw new Error('the file of all owners is empty')
}

/** Returns how many officers, owners and statements were compared, and those that differ. REST lists no statements. */
export async function compareParts(
  app: App,
  { house, number, restUrl }: { house: SimulatedCompaniesHouse; number: string; restUrl: string },
) {
  const officers = await app.db.query<{ data: LooseRecord }>(
    `select data from company_item where company_number = $1 and kind = 'officer'`,
    [number],
  )
  const owners = await listPscRecords(app.db, number)
  const [listed, listedOwners] = [
    await listAll(restUrl, `/company/${number}/officers`),
    await listAll(restUrl, `/company/${number}/persons-with-significant-control`),
  ]
  const statements = (house.findCompany(number)?.pscs ?? []).map(toRecord).filter(({ kind }) => !isPerson(String(kind)))
  const [our, their] = [
    [...officers.map(({ data }) => showOfficer(data)), ...owners.map((data) => showOwner(number, data))],
    [...listed.map(showOfficer), ...[...listedOwners, ...statements].map((data) => showOwner(number, data))],
  ]
  const [ours, theirs] = [new Set(our), new Set(their)]
  const differing = [
    ...our.filter((each) => !theirs.has(each)).map((each) => `${number} has too much: ${each}`),
    ...their.filter((each) => !ours.has(each)).map((each) => `${number} lacks: ${each}`),
  ]
  return { compared: their.length, differing }
}

/** The stream leaves out the link to the person, which the lists have. */
function showOfficer(data: LooseRecord): string {
  const { officer_id: _, ...officer } = parseOfficer(data)
  return stableText({ id: identifyItem('officer', data).id, ...officer })
}

function showOwner(number: string, data: LooseRecord): string {
  return stableText(toPscRecord(toPscRow(number, readPscId(data) ?? '', data)))
}

const PAGES_MAX = 100

async function listAll(restUrl: string, path: string): Promise<LooseRecord[]> {
  const headers = { authorization: `Basic ${Buffer.from(`${SIMULATED_REST_KEY}:`).toString('base64')}` }
  const items: LooseRecord[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const url = new URL(`${path}?items_per_page=100&start_index=${items.length}`, restUrl)
    const body = toRecord(await (await fetch(url, { headers })).json())
    const added = toList(body['items']).map(toRecord)
    items.push(...added)
    if (added.length === 0 || items.length >= (toInteger(body['total_results'], { max: 10_000 }) ?? 0)) return items
  }
  throw new Error(`${path} has too many pages`)
}
