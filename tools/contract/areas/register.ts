import type { Answer } from '../client.ts'
import { expectAnswer, expectStatus, expectThat, readList, readText } from '../expectations.ts'
import { area, ask, gives, type Rows, refuses, row, type Source } from '../row.ts'
import { NotShown } from '../shown.ts'
import type { Stage } from '../stage.ts'
import * as is from '../values.ts'

const SEARCH = 'GET /v1/companies/search'

const search = (criteria: Record<string, string>): Source =>
  ask(`${SEARCH}?${new URLSearchParams(criteria).toString()}`, 'key')

const ACTIVE = search({ company_status: 'active' })

export const REGISTER = area('Register search', {
  [`search-200: ${SEARCH} → 200 paginated company candidates`]: [
    gives(ACTIVE, 200, async ({ companies }) => ({ page: 1, 'data.0.company_number': (await companies())[0] })),
  ],
  ...criterion('name', async (stage, sample) => {
    const found = await search({ name: readText(sample, 'data.0.company_name') })(stage)
    return expectAnswer(found, 200, {
      'data.*.company_number': is.including(readText(sample, 'data.0.company_number')),
    })
  }),
  ...criterion('postcode', (stage, sample) => expectColumn(stage, sample, 'postcode', 'registered_postcode')),
  ...criterion('company_status', (stage, sample) => expectColumn(stage, sample, 'company_status')),
  ...criterion('accounts_type', (stage, sample) => expectColumn(stage, sample, 'accounts_type')),
  ...criterion('incorporated_from', (stage, sample) =>
    expectColumn(stage, sample, 'incorporated_from', 'incorporated_on', (date, day) => date >= day),
  ),
  ...criterion('incorporated_to', (stage, sample) =>
    expectColumn(stage, sample, 'incorporated_to', 'incorporated_on', (date, day) => date <= day),
  ),
  ...criterion('page', async (stage, first) => {
    const second = await search({ company_status: 'active', page: '2' })(stage)
    const detail = expectAnswer(second, 200, { page: 2 })
    const before = new Set(readList(first, 'data.*.company_number'))
    const both = readList(second, 'data.*.company_number').filter((number) => before.has(number))
    expectThat(both.length === 0, 'other companies than on page 1', both)
    return `${detail}, other companies than on page 1`
  }),
  [`search-401: ${SEARCH} → 401`]: refuses(ask(`${SEARCH}?name=bakery`), 401),
})

/** Searches for what a company of the register has. */
function criterion(name: string, show: (stage: Stage, sample: Answer) => Promise<string>): Rows {
  const id = `search-${name.replaceAll('_', '-')}`
  return row(id, `${SEARCH}: ${name} (optional string)`, async (stage) =>
    show(stage, expectStatus(await ACTIVE(stage), 200)),
  )
}

/** Every company that is found has a fitting value in this field. */
async function expectColumn(
  stage: Stage,
  sample: Answer,
  name: string,
  field = name,
  fits = (value: string, wanted: string) => value === wanted,
): Promise<string> {
  const wanted = readList(sample, `data.*.${field}`).find((value) => typeof value === 'string')
  if (wanted === undefined) throw new NotShown(`needs a company with a value of ${field}`)
  const found = readList(expectStatus(await search({ [name]: wanted })(stage), 200), `data.*.${field}`).map(String)
  expectThat(found.length > 0 && found.every((value) => fits(value, wanted)), `${name} ${wanted} alone`, found)
  return `${wanted}: ${found.length} found`
}
