/** Charges are registered and satisfied. */
import { addDaysToDate } from '../../src/lib/clock.ts'
import type { Dated } from './company-changes.ts'
import type { Register } from './register.ts'
import { type Charge, idOf } from './resources.ts'

const PERSONS_ENTITLED_MAX = 4

export interface NewCharge extends Dated {
  personsEntitled?: string[]
  createdOn?: string
  description?: string
}

/** Answers the charge id. */
export function registerCharge(register: Register, number: string, facts: NewCharge = {}): string {
  const { on = register.today(), personsEntitled = ['Lowmoor Bank PLC'] } = facts
  const company = register.edit(number)
  const charges = register.chargesOf(company)
  const ordinal = Math.max(0, ...charges.map((charge) => charge.charge_number)) + 1
  const chargeId = register.ids.recordId()
  const chargeCode = `${number}${String(ordinal).padStart(4, '0')}`
  const createdOn = facts.createdOn ?? addDaysToDate(on, -7)
  const filing = register.file(company, {
    form: 'MR01',
    on,
    actionOn: createdOn,
    values: { charge_number: chargeCode, charge_creation_date: createdOn },
  })
  const charge: Charge = {
    charge_code: chargeCode,
    charge_number: ordinal,
    status: 'outstanding',
    created_on: createdOn,
    delivered_on: on,
    classification: { type: 'charge-description', description: 'A registered charge' },
    particulars: {
      type: 'brief-description',
      description: facts.description ?? 'All freehold and leasehold property of the company.',
      contains_fixed_charge: true,
      contains_negative_pledge: true,
    },
    persons_entitled: personsEntitled.slice(0, PERSONS_ENTITLED_MAX).map((name) => ({ name })),
    ...(personsEntitled.length > PERSONS_ENTITLED_MAX ? { more_than_four_persons_entitled: true } : {}),
    transactions: [{ filing_type: 'create-charge-with-deed', delivered_on: on, links: { filing: filing.links.self } }],
    etag: register.ids.etag(),
    links: { self: `/company/${number}/charges/${chargeId}` },
  }
  charges.push(charge)
  register.announceCharge(charge)
  register.announceProfile(company)
  return chargeId
}

export function satisfyCharge(
  register: Register,
  number: string,
  chargeId: string,
  { on = register.today(), inPart = false }: Dated & { inPart?: boolean } = {},
): void {
  const company = register.edit(number)
  const charge = register.chargesOf(company).find((each) => idOf(each) === chargeId)
  if (!charge) throw new Error(`company ${number} has no charge ${chargeId}`)
  const filing = register.file(company, {
    form: 'MR04',
    on,
    description: `mortgage-satisfy-charge-${inPart ? 'part' : 'full'}`,
    values: { charge_number: charge.charge_code },
  })
  charge.status = inPart ? 'part-satisfied' : 'fully-satisfied'
  if (!inPart) charge.satisfied_on = on
  charge.etag = register.ids.etag()
  charge.transactions = [
    ...(charge.transactions ?? []),
    {
      filing_type: inPart ? 'charge-part-satisfaction' : 'charge-satisfaction',
      delivered_on: on,
      links: { filing: filing.links.self },
    },
  ]
  register.announceCharge(charge)
  register.announceProfile(company)
}
