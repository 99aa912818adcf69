/** The page of an officer in the console, in a real browser: opened from a company, with what it can and cannot say. */
import { beforeEach, expect, test } from 'vitest'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { ago, director } from './setup/acorn.ts'
import { describeInBrowser } from './setup/chromium.ts'
import { useConsole } from './setup/console.ts'
import { prepare, useTestService } from './setup/harness.ts'

const JO = 'jo'.padEnd(27, '0')
const SAM = 'sam'.padEnd(27, '0')
const AGENT = 'agent'.padEnd(27, '0')

const appointed = (number: string, id: string, officer: string, facts: object) =>
  director(number, id, {
    date_of_birth: { month: 4, year: 1970 },
    nationality: 'Ruritanian',
    ...facts,
    links: {
      self: `/company/${number}/appointments/${id}`,
      officer: { appointments: `/officers/${officer}/appointments` },
    },
  })

const companies: NewCompany[] = [
  {
    number: '01234567',
    name: 'ACORN LIMITED',
    officers: [
      appointed('01234567', 'a1', JO, { name: 'SMITH, Jo' }),
      appointed('01234567', 'a2', SAM, { name: 'BAKER, Sam', officer_role: 'secretary', date_of_birth: undefined }),
    ],
  },
  {
    number: '02000000',
    name: 'A VERY LONG NAME OF A COMPANY THAT TRADED IN MANY PLACES AND WAS DISSOLVED LIMITED',
    status: 'Dissolved',
    officers: [appointed('02000000', 'b1', JO, { name: 'SMITH, Jo', resigned_on: ago(40) })],
  },
  ...Array.from({ length: 205 }, (_, index) => {
    const number = `03000${String(index).padStart(3, '0')}`
    return {
      number,
      name: `MANY ${index} LIMITED`,
      officers: [appointed(number, `m${index}`, AGENT, { name: 'AGENT, Al' })],
    }
  }),
]

describeInBrowser('Officers', () => {
  const house = SimulatedCompaniesHouse.fromCompanies(companies, { imageDelayMs: null })
  const it = useTestService({ house })
  const owner = prepare(() => it.openAccount())
  const { open, testScreen } = useConsole(it, { owner })
  beforeEach(() => {
    house.faults.clear()
    // What an earlier test spent of the budget leaves the window.
    it.clock.advance(400)
  })

  testScreen({ name: 'officer', path: `/officers/${JO}`, call: `/v1/officers/${JO}`, fullSays: 'Jo SMITH' })

  test('a name among the people of a company leads to the other appointments, and they lead to companies', async () => {
    const { page } = await open(owner, '/companies/01234567?tab=people')
    await page.getByRole('link', { name: 'SMITH, Jo' }).click()
    await page.getByRole('heading', { name: 'Jo SMITH', level: 1 }).waitFor()
    expect(await page.title()).toBe('Jo SMITH · Nameplate')
    await page.getByText('Born April 1970').waitFor()
    await page.getByText('Possibly several people', { exact: false }).waitFor()
    expect(await page.locator('body').textContent()).not.toContain('Ruritanian')
    const menu = page.getByRole('navigation').getByRole('link', { name: 'Companies' })
    expect(await menu.getAttribute('aria-current')).toBe('page')
    await page.getByRole('link', { name: /^A VERY LONG NAME/ }).click()
    await page.getByRole('heading', { name: /^A VERY LONG NAME/, level: 1 }).waitFor()
  })

  test('the check is made on a button and says what it found, with the orders', async () => {
    house.changes.disqualify({
      forename: 'Jo',
      surname: 'SMITH',
      date_of_birth: '1970-04-12',
      orders: [{}, { disqualified_from: '2001-01-02', disqualified_until: '2006-01-01' }],
    })
    const { window, page } = await open(owner, `/officers/${JO}`)
    await page.getByText('never the name alone', { exact: false }).waitFor()
    const before = house.stats.rest.total
    await page.getByRole('button', { name: 'Check for disqualifications' }).click()
    await page.getByText('Found', { exact: true }).waitFor()
    expect(house.stats.rest.total).toBeGreaterThan(before)
    await page.getByText('Expired', { exact: true }).waitFor()
    await page.getByText('section 7', { exact: false }).first().waitFor()
    await window.expectGoodEverywhere('officer-found', 'Expired')
  })

  test('without a birth date the check says why it was not made', async () => {
    const { window, page } = await open(owner, `/officers/${SAM}`)
    await page.getByRole('button', { name: 'Check for disqualifications' }).click()
    await page.getByText('publishes no month and year of birth', { exact: false }).waitFor()
    await window.expectGoodInBothThemes('officer-not-checked')
  })

  test('of very many appointments it says how many are not shown', async () => {
    const { window, page } = await open(owner, `/officers/${AGENT}`)
    await page.getByText('200 appointments of 205', { exact: false }).waitFor()
    await window.expectGood('officer-many-light')
  })

  test('appointments that cannot be fetched are said to be missing, and can be asked for again', async () => {
    house.faults.rest.set({ answer503: { next: 1_000 } })
    const { window, page } = await open(owner, `/officers/${SAM}`)
    await page.getByText('the register does not respond', { exact: false }).waitFor()
    await window.expectGoodEverywhere('officer-missing', 'Appointments are missing')
    house.faults.clear()
    await page.getByRole('button', { name: 'Try the register again' }).click()
    await page.getByRole('heading', { name: 'Sam BAKER', level: 1 }).waitFor()
  })

  test.each(['x', 'unknown'.padEnd(27, '0')])('%s is no officer, and the page says how to find one', async (id) => {
    const { window, page } = await open(owner, `/officers/${id}`)
    await page.getByRole('heading', { name: 'No officer to show' }).waitFor()
    expect(window.complaints.splice(0).join()).toMatch(/40[04]/)
    await window.expectGood(`officer-unknown-${id.slice(0, 3)}`)
    await page.getByRole('link', { name: 'Search for a company' }).click()
    await page.getByRole('heading', { name: 'By name' }).waitFor()
  })
})
