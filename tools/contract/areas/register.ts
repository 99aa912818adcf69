import type { Answer } from '../client.ts'
import { equals, expectMember, expectRefusal, expectStatus, expectThat, readColumn, readText } from '../expectations.ts'
import { type Area, type Row, row } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Stage } from '../stage.ts'

const PATH = '/v1/companies/search'
const SEARCH = `GET ${PATH}`

export const REGISTER: Area = {
  title: 'Register search',
  rows: [
    row('search-200', `${SEARCH} → 200 paginated company candidates`, async (stage) => {
      const answer = await search(stage, { company_status: 'active' })
      expectMember(answer, 'page', equals(1))
      expectMember(answer, 'data.0.company_number', equals((await stage.companies())[0]))
      return `${readColumn(answer, 'data', 'company_number').length} on the first page`
    }),
    criterion('name', async (stage, sample) => {
      const name = readText(sample, 'data.0.company_name')
      const found = readColumn(await search(stage, { name }), 'data', 'company_number')
      const number = readText(sample, 'data.0.company_number')
      expectThat(found.includes(number), `${number} when asked for ${name}`, found)
      return name
    }),
    criterion('postcode', (stage, sample) => expectAll(stage, sample, 'registered_postcode', 'postcode')),
    criterion('company_status', (stage, sample) => expectAll(stage, sample, 'company_status', 'company_status')),
    criterion('accounts_type', (stage, sample) => expectAll(stage, sample, 'accounts_type', 'accounts_type')),
    criterion('incorporated_from', (stage, sample) => expectSide(stage, sample, 'incorporated_from')),
    criterion('incorporated_to', (stage, sample) => expectSide(stage, sample, 'incorporated_to')),
    criterion('page', async (stage) => {
      const [first, second] = [
        await search(stage, { company_status: 'active' }),
        await search(stage, { company_status: 'active', page: '2' }),
      ]
      expectMember(second, 'page', equals(2))
      const before = new Set(readColumn(first, 'data', 'company_number'))
      const both = readColumn(second, 'data', 'company_number').filter((number) => before.has(number))
      expectThat(both.length === 0, 'other companies than on page 1', both)
      return 'page 2 goes on where page 1 ends'
    }),
    row('search-401', `${SEARCH} → 401`, async ({ call }) => {
      expectRefusal(await call('GET', `${PATH}?name=bakery`), 401)
      return 'without a credential'
    }),
  ],
}

/** What is asked for is taken from a company that is there. */
function criterion(name: string, show: (stage: Stage, sample: Answer) => Promise<string>): Row {
  return row(`search-${name.replaceAll('_', '-')}`, `${SEARCH}: ${name} (optional string)`, async (stage) =>
    show(stage, await search(stage, { company_status: 'active' })),
  )
}

async function search({ call, accounts }: Stage, criteria: Record<string, string>): Promise<Answer> {
  const query = new URLSearchParams(criteria).toString()
  return expectStatus(await call('GET', `${PATH}?${query}`, { key: await accounts.key() }), 200)
}

async function expectAll(stage: Stage, sample: Answer, field: string, criterionName: string): Promise<string> {
  const value = readColumn(sample, 'data', field).find((each) => typeof each === 'string')
  if (value === undefined) throw new NotShown(`needs a company with a ${field}`)
  const found = readColumn(await search(stage, { [criterionName]: value }), 'data', field)
  expectThat(found.length > 0 && found.every((each) => each === value), `${value} alone`, found)
  return `${value}: ${found.length} found`
}

async function expectSide(
  stage: Stage,
  sample: Answer,
  side: 'incorporated_from' | 'incorporated_to',
): Promise<string> {
  const day = readColumn(sample, 'data', 'incorporated_on').find((date) => typeof date === 'string')
  if (day === undefined) throw new NotShown('needs a company with a date of incorporation')
  const found = readColumn(await search(stage, { [side]: day }), 'data', 'incorporated_on').map(String)
  const isRight = (date: string) => (side === 'incorporated_from' ? date >= day : date <= day)
  expectThat(
    found.length > 0 && found.every(isRight),
    `dates ${side === 'incorporated_from' ? 'from' : 'to'} ${day}`,
    found,
  )
  return `${day}: ${found.length} found`
}
