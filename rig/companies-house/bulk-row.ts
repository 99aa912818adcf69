/** A company as a row of the Basic Company Data product, in both directions. */
import { type Company, countCharges, createCompany } from './company.ts'
import type { Address } from './resources.ts'

/** The descriptions of SIC codes, which only the monthly file shows. */
export type SicTexts = ReadonlyMap<string, string>

const PREVIOUS_NAMES_MAX = 10
const SIC_CODES_MAX = 4

/** Exactly as published: some names start with a space, and the second CONDATE does too while the others do not. */
export const BULK_HEADER = [
  'CompanyName, CompanyNumber,RegAddress.CareOf,RegAddress.POBox,RegAddress.AddressLine1, RegAddress.AddressLine2',
  'RegAddress.PostTown,RegAddress.County,RegAddress.Country,RegAddress.PostCode,CompanyCategory,CompanyStatus',
  'CountryOfOrigin,DissolutionDate,IncorporationDate,Accounts.AccountRefDay,Accounts.AccountRefMonth',
  'Accounts.NextDueDate,Accounts.LastMadeUpDate,Accounts.AccountCategory,Returns.NextDueDate,Returns.LastMadeUpDate',
  'Mortgages.NumMortCharges,Mortgages.NumMortOutstanding,Mortgages.NumMortPartSatisfied,Mortgages.NumMortSatisfied',
  'SICCode.SicText_1,SICCode.SicText_2,SICCode.SicText_3,SICCode.SicText_4,LimitedPartnerships.NumGenPartners',
  'LimitedPartnerships.NumLimPartners,URI,PreviousName_1.CONDATE, PreviousName_1.CompanyName',
  ' PreviousName_2.CONDATE, PreviousName_2.CompanyName',
  ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `PreviousName_${n}.CONDATE, PreviousName_${n}.CompanyName`),
  'ConfStmtNextDueDate, ConfStmtLastMadeUpDate',
].join(',')

export function toBulkRow(company: Company, sicTexts: SicTexts): string[] {
  const { address, accounts } = company
  const charges = countCharges(company)
  return [
    company.name,
    company.number,
    ...[address.care_of, address.po_box, streetLine(address), address.address_line_2].map(upperCase),
    ...[address.locality, address.region, address.country, address.postal_code].map(upperCase),
    company.category,
    company.status,
    company.countryOfOrigin,
    toBulkDate(company.dissolvedOn),
    toBulkDate(company.incorporatedOn),
    String(accounts.referenceDay ?? ''),
    String(accounts.referenceMonth ?? ''),
    toBulkDate(accounts.nextDueOn),
    toBulkDate(accounts.lastMadeUpTo),
    accounts.category,
    toBulkDate(company.annualReturn.nextDueOn),
    toBulkDate(company.annualReturn.lastMadeUpTo),
    ...[charges.total, charges.outstanding, charges.partSatisfied, charges.satisfied].map(String),
    ...sicFields(company, sicTexts),
    String(company.partners.general),
    String(company.partners.limited),
    `http://business.data.gov.uk/id/company/${company.number}`,
    ...previousNameFields(company),
    toBulkDate(company.confirmationStatement.nextDueOn),
    toBulkDate(company.confirmationStatement.lastMadeUpTo),
  ]
}

/** Which field of a row holds which column, by its trimmed name. */
export type ReadField = (column: string) => string

export function toCompany(read: ReadField, today: string): Company {
  const counted = (column: string) => Number(read(`Mortgages.NumMort${column}`) || 0)
  return createCompany(
    {
      number: read('CompanyNumber'),
      name: read('CompanyName'),
      category: read('CompanyCategory'),
      status: read('CompanyStatus'),
      countryOfOrigin: read('CountryOfOrigin'),
      address: readAddress(read),
      incorporatedOn: fromBulkDate(read('IncorporationDate')),
      dissolvedOn: fromBulkDate(read('DissolutionDate')),
      accounts: {
        referenceDay: Number(read('Accounts.AccountRefDay')) || null,
        referenceMonth: Number(read('Accounts.AccountRefMonth')) || null,
        nextDueOn: fromBulkDate(read('Accounts.NextDueDate')),
        nextMadeUpTo: null,
        lastMadeUpTo: fromBulkDate(read('Accounts.LastMadeUpDate')),
        category: read('Accounts.AccountCategory'),
      },
      confirmationStatement: {
        nextDueOn: fromBulkDate(read('ConfStmtNextDueDate')),
        lastMadeUpTo: fromBulkDate(read('ConfStmtLastMadeUpDate')),
      },
      annualReturn: {
        nextDueOn: fromBulkDate(read('Returns.NextDueDate')),
        lastMadeUpTo: fromBulkDate(read('Returns.LastMadeUpDate')),
      },
      sicCodes: readSicTexts(read).map((text) => text.split(' - ')[0] ?? ''),
      previousNames: readPreviousNames(read),
      partners: {
        general: Number(read('LimitedPartnerships.NumGenPartners') || 0),
        limited: Number(read('LimitedPartnerships.NumLimPartners') || 0),
      },
      undescribedCharges: {
        outstanding: counted('Outstanding'),
        partSatisfied: counted('PartSatisfied'),
        satisfied: counted('Satisfied'),
      },
    },
    today,
  )
}

export function readSicTexts(read: ReadField): string[] {
  return Array.from({ length: SIC_CODES_MAX }, (_, index) => read(`SICCode.SicText_${index + 1}`)).filter((text) =>
    /^\d/.test(text),
  )
}

function readAddress(read: ReadField): Address {
  const parts: [keyof Address, string][] = [
    ['care_of', 'CareOf'],
    ['po_box', 'POBox'],
    ['address_line_1', 'AddressLine1'],
    ['address_line_2', 'AddressLine2'],
    ['locality', 'PostTown'],
    ['region', 'County'],
    ['country', 'Country'],
    ['postal_code', 'PostCode'],
  ]
  const address: Address = {}
  for (const [member, column] of parts) {
    const value = read(`RegAddress.${column}`)
    if (value) address[member] = value
  }
  return address
}

function readPreviousNames(read: ReadField): Company['previousNames'] {
  const numbered = Array.from({ length: PREVIOUS_NAMES_MAX }, (_, index) => `PreviousName_${index + 1}`)
  return numbered
    .map((column) => ({
      name: read(`${column}.CompanyName`),
      changedOn: fromBulkDate(read(`${column}.CONDATE`)) ?? '',
    }))
    .filter(({ name }) => name !== '')
}

function sicFields(company: Company, sicTexts: SicTexts): string[] {
  const texts = company.sicCodes
    .slice(0, SIC_CODES_MAX)
    .map((code) => sicTexts.get(code) ?? `${code} - Activities of class ${code}`)
  if (texts.length === 0) texts.push('None Supplied')
  return Array.from({ length: SIC_CODES_MAX }, (_, index) => texts[index] ?? '')
}

function previousNameFields(company: Company): string[] {
  return Array.from({ length: PREVIOUS_NAMES_MAX }, (_, index) => {
    const previous = company.previousNames[index]
    return previous ? [toBulkDate(previous.changedOn), previous.name] : ['', '']
  }).flat()
}

function streetLine(address: Address): string {
  return [address.premises, address.address_line_1].filter(Boolean).join(' ')
}

function upperCase(text: string | undefined): string {
  return (text ?? '').toUpperCase()
}

function toBulkDate(date: string | null): string {
  return date ? date.split('-').reverse().join('/') : ''
}

function fromBulkDate(text: string): string | null {
  return text ? text.split('/').reverse().join('-') : null
}
