import { z } from 'zod'
import type { App } from '../../../app.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import {
  CONTROLS,
  type CompanyDetails,
  type CompanyParts,
  deriveCompanyFacts,
  deriveControl,
  deriveIdentity,
  describeCode,
  describeControl,
  describeFilings,
  describeSector,
  IDENTITY_STATES,
  isInOffice,
  isOffRegister,
  listWarnings,
  type Owner,
  PARTS,
  parseCompanyNumber,
  presentStatusDetail,
  WARNING_CODES,
} from '../../../register/index.ts'
import { listProvenWebsites, type ProvenWebsite, readDetailsFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, inWords, presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { Charge } from './charge-body.ts'
import { DerivedFacts } from './company-facts.ts'
import { Filing } from './filing-body.ts'
import { StatusDetail } from './status-detail.ts'

/** A caller waits this long for the register at most; what has not come by then is said to be missing. */
const MAX_WAIT_MS = 8_000
const FILINGS_MAX = 100

const text = z.string().nullable()
const date = CalendarDate.nullable()
const ONLY_HERE = 'Only in `GET /v1/companies/{company_number}`; null in answers.'

const CompanyWarning = z
  .object({ code: z.enum(WARNING_CODES), severity: z.enum(['high', 'medium', 'low']), text: z.string() })
  .meta({ id: 'CompanyWarning' })

const Identity = z
  .object({ state: z.enum(IDENTITY_STATES), due_on: date, verified_on: date })
  .nullable()
  .describe(
    'Identity verification, as of today in London: `overdue` from the day after `due_on`. Null where the register says nothing, and ' +
      'for people who have left.',
  )

const Officer = z
  .object({
    officer_id: text.describe(
      'For `GET /v1/officers/{officer_id}`; null where we do not know it, or the operator has switched that off.',
    ),
    name: text.describe('Null where it is withheld.'),
    role: text,
    role_text: inWords('role'),
    appointed_on: date,
    resigned_on: date,
    nationality: text.describe(ONLY_HERE),
    occupation: text,
    country_of_residence: text.describe(ONLY_HERE),
    date_of_birth: z.object({ month: z.int().nullable(), year: z.int() }).nullable(),
    identity: Identity,
  })
  .meta({ id: 'Officer' })

const Insolvency = z
  .object({
    status: z.array(z.string()),
    status_text: z.array(z.string()).describe('`status` in words, in the same order.'),
    cases: z.array(
      z.object({
        type: text,
        type_text: inWords('type'),
        number: text,
        dates: z.array(z.object({ type: z.string(), type_text: inWords('type'), date: CalendarDate })),
        practitioners: z.array(
          z.object({
            name: z.string(),
            role: text,
            role_text: inWords('role'),
            appointed_on: date,
            ceased_to_act_on: date,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'Insolvency' })

const Psc = z
  .object({
    kind: text,
    kind_text: inWords('kind'),
    name: text.describe('Null for a protected person, and where it is withheld.'),
    notified_on: date,
    ceased_on: date,
    is_ceased: z
      .boolean()
      .describe('True without `ceased_on` for protected people, of whom the register publishes no day.'),
    natures_of_control: z.array(z.string()),
    natures_of_control_text: z.array(z.string()).describe('`natures_of_control` in words, in the same order.'),
    is_sanctioned: z.boolean().describe('The register marks the owner as sanctioned.'),
    nationality: text.describe(ONLY_HERE),
    country_of_residence: text.describe(ONLY_HERE),
    registration_number: text,
    country_registered: text.describe('Of a company: the country in whose register it is.'),
    control: z
      .enum(CONTROLS)
      .nullable()
      .describe(
        '`parent`: more than half of the shares or votes, or the right to appoint the board. `more_than_quarter`: of an overseas ' +
          'entity, which states no more; it may be a majority. `holder`: no majority, or influence. ' +
          '`through_others`: only as a trustee or a member of a firm.',
      ),
    control_text: inWords('control'),
    owner_company: z
      .object({
        company_number: z.string(),
        company_name: z.string(),
        company_status: z.string(),
        ...StatusDetail,
        company_status_text: text,
      })
      .nullable()
      .describe('The owner on the UK register, where its number and its name agree with a company there.'),
    identity: Identity,
  })
  .meta({ id: 'PersonWithSignificantControl' })

const OwnerStatement = z
  .object({ statement: z.string(), statement_text: inWords('statement'), notified_on: date, ceased_on: date })
  .meta({ id: 'OwnerStatement' })

const pounds = z.int().nullable()
const CompanyFigures = z
  .object({
    period_end: CalendarDate,
    employees: z.int().nullable().describe('On average during the period.'),
    net_assets: pounds,
    current_assets: pounds,
    creditors: pounds.describe('In total where the accounts tag it, otherwise due within one year.'),
    cash: pounds,
    turnover: pounds,
    is_dormant: z.boolean().nullable(),
    source_on: CalendarDate.describe('The day of the accounts file that we read them from.'),
  })
  .meta({
    id: 'CompanyFigures',
    description: 'From filed accounts, in whole pounds. Null: the accounts do not state it.',
  })

const perPart = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ officers: schema, charges: schema, insolvency: schema, pscs: schema, filings: schema })

export const Profile = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: text,
    company_status_detail: text,
    company_status_text: StatusDetail.company_status_text,
    company_type: z.string(),
    company_type_text: z.string().describe('`company_type` in words.'),
    incorporated_on: date,
    dissolved_on: date,
    registered_address: z
      .object({
        care_of: text,
        po_box: text,
        line_1: text,
        line_2: text,
        town: text,
        county: text,
        country: text,
        postcode: text,
      })
      .meta({ id: 'RegisteredAddress' }),
    registered_postcode: text,
    country_of_origin: text,
    sic_codes: z.array(z.string()),
    sic_codes_text: z
      .array(z.string().nullable())
      .describe('The names of `sic_codes`, in the same order; null for a code that no list has.'),
    previous_names: z.array(z.object({ name: z.string(), ceased_on: date })),
    warnings: z
      .array(CompanyWarning)
      .describe('What to know first, the most serious first; empty when there is nothing.'),
    facts: DerivedFacts,
    officers: z.array(Officer).nullable().describe('Those in office first, then the newest resignations.'),
    charges: z.array(Charge).nullable().describe('Newest first.'),
    insolvency: Insolvency.nullable().describe('Null without a record, and when missing: see `missing`.'),
    pscs: z.array(Psc).nullable().describe('Persons with significant control; those in force first.'),
    psc_statements: z
      .array(OwnerStatement)
      .nullable()
      .describe(
        'What the company says of its owners beside naming them: that it has none, or need not say. In force first.',
      ),
    filings: z.array(Filing).nullable().describe(`The newest ${FILINGS_MAX}.`),
    filings_next_cursor: text.describe(
      '`cursor` for the older ones in `GET /v1/companies/{company_number}/filings`; null when there are none.',
    ),
    figures: z
      .array(CompanyFigures)
      .describe(
        'Figures of the last 10 periods, newest first, from accounts that were filed electronically. Empty when we have none: large ' +
          'companies often file on paper or as PDF. About 84 % of accounts state employees, and about 3 % turnover.',
      ),
    figures_as_of: date.describe('The newest day of the accounts files. Null: this service has read none.'),
    totals: perPart(z.int().nullable()).describe('How many the register has of each; null when missing.'),
    as_of: perPart(Time.nullable())
      .extend({ company: Time })
      .describe('When the register last said so; null when missing.'),
    missing: z
      .array(
        z.object({
          part: z.enum(PARTS),
          reason: z.enum(['not_configured', 'budget_spent', 'register_unavailable', 'register_refused']),
          retry_at: Time.nullable().describe('When to ask again, if we know it.'),
        }),
      )
      .describe('Parts that are not available now. They are null, and facts that need them are null.'),
    proven_websites: z
      .array(
        z.object({
          domain: z.string(),
          resolution_id: z.string(),
          evidence_url: z.string(),
          proven_at: Time,
          paid_until: Time,
        }),
      )
      .optional()
      .describe('Domains with proof that they are the company’s, for which your account has paid, newest first.'),
  })
  .meta({ id: 'CompanyProfile' })

export function companyProfileRoutes(app: App, server: Server): void {
  server.get('/v1/companies/:company_number', PROFILE, async (request) => {
    const caller = callerOf(request)
    const number = readCompanyNumber(request.params.company_number)
    const details = await readDetailsFor(app, caller, number, MAX_WAIT_MS)
    const at = app.clock.now()
    const proven = await listProvenWebsites(app.db, { ...caller, companyNumber: number, at })
    const profile = presentProfile(details, toLondonDate(at), app.config)
    return { ...profile, proven_websites: proven.map(presentProven) }
  })
}

/** Throws unless a company number was typed. */
export function readCompanyNumber(typed: string): string {
  const number = parseCompanyNumber(typed)
  if (number !== null) return number
  const message = 'must be a company number, such as 01234567 or SC123456'
  throw invalidRequest([{ field: 'company_number', message }])
}

function presentProven(website: ProvenWebsite) {
  return { ...presentMembers(website), evidence_url: `/v1/resolutions/${website.resolutionId}/evidence` }
}

/** An answer goes on into other systems, without the nationality and residence of people. */
const NO_ORIGIN = { nationality: null, country_of_residence: null }

export function presentProfile(
  details: CompanyDetails,
  today: string,
  { peopleFeatures, isInAnswer = false }: { peopleFeatures: boolean; isInAnswer?: boolean },
): z.input<typeof Profile> {
  const origin = isInAnswer ? NO_ORIGIN : {}
  const { company, officers, charges, insolvency, pscs, filings } = details
  const facts = deriveCompanyFacts(company, details, today)
  const isLive = !isOffRegister(company.status)
  return {
    company_number: company.number,
    company_name: company.name,
    company_status: facts.company_status,
    ...presentStatusDetail(company),
    company_type: company.type,
    company_type_text: describeCode('company_type', company.type),
    incorporated_on: company.incorporatedOn,
    dissolved_on: company.dissolvedOn,
    registered_address: presentAddress(company.address),
    registered_postcode: company.address.postcode,
    country_of_origin: company.countryOfOrigin,
    sic_codes: company.sicCodes,
    sic_codes_text: company.sicCodes.map(describeSector),
    previous_names: company.previousNames,
    warnings: listWarnings(details, facts, today),
    facts,
    officers:
      officers.items?.map((officer) => ({
        ...officer,
        ...origin,
        officer_id: peopleFeatures ? officer.officer_id : null,
        identity: deriveIdentity(officer.identity, isLive && isInOffice(officer, today), today),
      })) ?? null,
    charges: charges.items,
    insolvency: insolvency.items?.[0] ?? null,
    pscs:
      pscs.items?.map((owner) => ({
        ...presentOwner(owner),
        ...origin,
        identity: deriveIdentity(owner.identity, isLive && !owner.is_ceased, today),
      })) ?? null,
    psc_statements: details.ownerStatements,
    filings: filings.items && describeFilings(company.number, filings.items, FILINGS_MAX),
    filings_next_cursor: findOlderFilings(filings),
    figures: details.figures,
    figures_as_of: details.figuresAsOf,
    totals: eachPart((part) => details[part].total ?? details[part].items?.length ?? null),
    as_of: {
      company: presentTime(details.companyAsOf),
      ...eachPart((part) => presentTimeOrNull(details[part].asOf)),
    },
    missing: PARTS.flatMap((part) => {
      const { missing } = details[part]
      return missing ? [{ part, reason: missing.reason, retry_at: presentTimeOrNull(missing.retryAt) }] : []
    }),
  }
}

/** Returns how many of the filings are shown, where the register has more. */
function findOlderFilings({ items, total }: CompanyDetails['filings']): string | null {
  const held = items?.length ?? 0
  return items && Math.max(total ?? 0, held) > Math.min(held, FILINGS_MAX) ? String(Math.min(held, FILINGS_MAX)) : null
}

function presentOwner({ identification, company, ...owner }: Owner) {
  const control = deriveControl(owner.natures_of_control)
  return {
    ...owner,
    registration_number: identification.registration_number,
    country_registered: identification.country_registered,
    control,
    control_text: control && describeControl(control),
    owner_company: company && {
      company_number: company.number,
      company_name: company.name,
      company_status: company.status,
      ...presentStatusDetail(company),
    },
  }
}

function eachPart<Value>(valueOf: (part: keyof CompanyParts) => Value): Record<keyof CompanyParts, Value> {
  return Object.fromEntries(PARTS.map((part) => [part, valueOf(part)])) as Record<keyof CompanyParts, Value>
}

function presentTimeOrNull(at: Date | null): string | null {
  return at && presentTime(at)
}

function presentAddress(address: CompanyDetails['company']['address']) {
  const { careOf, poBox, line1, line2, town, county, country, postcode } = address
  return { care_of: careOf, po_box: poBox, line_1: line1, line_2: line2, town, county, country, postcode }
}

const PROFILE = describeRoute({
  operationId: 'getCompany',
  summary: 'Everything the register says about a company',
  description:
    'The first time you read a company, we fetch its officers, charges, insolvency, persons with significant control and ' +
    'filings from the register, and keep them up to date from then on. When the register is not available, the response ' +
    'lists what is missing. A test key reads the test companies, and no others.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params: z.object({ company_number: z.string().max(20).describe('As people write it: `SC 12345` will do.') }),
  answers: { 200: { description: 'The company.', schema: Profile } },
  errors: ['not_found', 'company_not_found', 'unavailable'],
})
