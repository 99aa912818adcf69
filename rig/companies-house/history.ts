/**
 * Writes out what a company's known facts imply: the filings behind them and the charges that were only counted. Done
 * when first asked for, because most of a large register is never looked at, and with ids that are the same each time.
 */
import { addDaysToDate, addMonthsToDate } from '../../src/lib/clock.ts'
import type { Company } from './company.ts'
import { appointmentForm, type FiledForm, FORMS, terminationForm } from './forms.ts'
import { Identifiers } from './identifiers.ts'
import { accountsType } from './labels.ts'
import type { Charge, ChargeStatus, Filing } from './resources.ts'

/** Newest first, as the register lists them. */
export function describeFilings(company: Company, today: string): Filing[] {
  const ids = new Identifiers(company.number)
  company.filings ??= impliedForms(company)
    .filter(({ on }) => on !== '' && on <= today)
    .map((form) => withImage(toFiling(company.number, form, ids)))
    .sort(newestFirst)
  return company.filings
}

export function newestFirst(a: Filing, b: Filing): number {
  return b.date.localeCompare(a.date)
}

export function toFiling(number: string, filed: FiledForm, ids: Identifiers): Filing {
  const form = FORMS[filed.form]
  const transactionId = filed.transactionId ?? ids.transactionId()
  return {
    transaction_id: transactionId,
    barcode: ids.barcode(),
    type: filed.form,
    category: form.category,
    ...(form.subcategory ? { subcategory: form.subcategory } : {}),
    description: filed.description ?? form.description,
    ...(filed.values ? { description_values: filed.values } : {}),
    date: filed.on,
    ...(filed.actionOn ? { action_date: filed.actionOn } : {}),
    links: { self: `/company/${number}/filing-history/${transactionId}` },
  }
}

/** The scanned or rendered document follows its filing; so do the number of its pages and its link. */
export function withImage(filing: Filing): Filing {
  const documentId = Buffer.from(filing.transaction_id).toString('base64url')
  const document_metadata = `https://document-api.company-information.service.gov.uk/document/${documentId}`
  return { ...filing, pages: 1 + (filing.transaction_id.length % 7), links: { ...filing.links, document_metadata } }
}

export function describeCharges(company: Company): Charge[] {
  const ids = new Identifiers(company.number)
  const counts = company.undescribedCharges
  const statuses: [ChargeStatus, number][] = [
    ['fully-satisfied', counts.satisfied],
    ['part-satisfied', counts.partSatisfied],
    ['outstanding', counts.outstanding],
  ]
  company.undescribedCharges = { outstanding: 0, partSatisfied: 0, satisfied: 0 }
  for (const [status, count] of statuses) {
    for (let made = 0; made < count; made += 1) company.charges.push(toCountedCharge(company, status, ids))
  }
  return company.charges
}

function toCountedCharge(company: Company, status: ChargeStatus, ids: Identifiers): Charge {
  const ordinal = company.charges.length + 1
  const createdOn = addMonthsToDate(company.incorporatedOn ?? '2014-01-01', ordinal)
  const charge = toCharge(company.number, ordinal, { createdOn, deliveredOn: addDaysToDate(createdOn, 7) }, ids)
  if (status === 'part-satisfied') return { ...charge, status, assets_ceased_released: 'part-property-released' }
  return { ...charge, status, ...(status === 'fully-satisfied' ? { satisfied_on: addMonthsToDate(createdOn, 6) } : {}) }
}

/** Returns an outstanding charge. */
export function toCharge(
  number: string,
  ordinal: number,
  { createdOn, deliveredOn }: { createdOn: string; deliveredOn: string },
  ids: Identifiers,
): Charge {
  return {
    charge_code: `${number}${String(ordinal).padStart(4, '0')}`,
    charge_number: ordinal,
    status: 'outstanding',
    created_on: createdOn,
    delivered_on: deliveredOn,
    classification: { type: 'charge-description', description: 'A registered charge' },
    ...describeDeed(ordinal),
    persons_entitled: [{ name: 'Lowmoor Bank PLC' }],
    etag: ids.etag(),
    links: { self: `/company/${number}/charges/${ids.recordId()}` },
  }
}

/** One after another: of land, of the whole business, of the property of others, and as sparse as many are. */
function describeDeed(ordinal: number): Pick<Charge, 'particulars' | 'secured_details'> {
  const deeds: Pick<Charge, 'particulars' | 'secured_details'>[] = [
    { particulars: { contains_fixed_charge: true, contains_negative_pledge: true } },
    {
      particulars: {
        type: 'brief-description',
        description: 'The freehold land at 4 Weir Lane, registered under title WYK123456.',
        contains_fixed_charge: true,
        contains_negative_pledge: true,
      },
    },
    {
      particulars: {
        type: 'short-particulars',
        description: 'Fixed and floating charges over the undertaking and all property and assets, present and future.',
        contains_fixed_charge: true,
        contains_floating_charge: true,
        floating_charge_covers_all: true,
      },
      secured_details: {
        type: 'amount-secured',
        description: 'All monies due or to become due from the company to the chargee.',
      },
    },
    { particulars: { contains_fixed_charge: true, chargor_acting_as_bare_trustee: true } },
  ]
  return deeds[ordinal % deeds.length] ?? {}
}

function impliedForms(company: Company): FiledForm[] {
  return [
    { form: 'NEWINC', on: company.incorporatedOn ?? '' },
    ...company.previousNames.map(({ changedOn }): FiledForm => ({ form: 'CERTNM', on: changedOn })),
    ...impliedByOfficers(company),
    ...describeCharges(company).flatMap(impliedByCharge),
    ...impliedByDeadlines(company),
    ...(company.dissolvedOn ? [{ form: 'GAZ2', on: company.dissolvedOn } as const] : []),
  ]
}

function impliedByOfficers(company: Company): FiledForm[] {
  return company.officers.flatMap((officer) => [
    { ...appointmentForm(officer), on: officer.appointed_on ?? '' },
    { ...terminationForm(officer), on: officer.resigned_on ?? '' },
  ])
}

function impliedByCharge(charge: Charge): FiledForm[] {
  const filing = charge.transactions?.[0]?.links?.filing
  const transactionId = filing?.slice(filing.lastIndexOf('/') + 1)
  const values = { charge_number: charge.charge_code, charge_creation_date: charge.created_on }
  return [
    { form: 'MR01', on: charge.delivered_on ?? '', values, ...(transactionId ? { transactionId } : {}) },
    { form: 'MR04', on: charge.satisfied_on ?? '', values: { charge_number: charge.charge_code } },
  ]
}

function impliedByDeadlines(company: Company): FiledForm[] {
  const forms: FiledForm[] = []
  const { lastMadeUpTo, category } = company.accounts
  if (lastMadeUpTo) forms.push(accountsForm(lastMadeUpTo, category, addMonthsToDate(lastMadeUpTo, 3)))
  const statedTo = company.confirmationStatement.lastMadeUpTo
  if (statedTo) forms.push({ form: 'CS01', on: addDaysToDate(statedTo, 3), values: { made_up_date: statedTo } })
  return forms
}

export function accountsForm(madeUpTo: string, categoryLabel: string, on: string): FiledForm {
  const type = accountsType(categoryLabel) ?? 'full'
  return {
    form: 'AA',
    on,
    actionOn: madeUpTo,
    description: `accounts-with-accounts-type-${type}`,
    values: { made_up_date: madeUpTo },
  }
}
