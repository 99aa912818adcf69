import { z } from 'zod'
import { toLondonDate } from '../../../lib/clock.ts'
import { formatDeadline } from '../../../lib/text/wording.ts'
import {
  CONTROLS,
  type CompanyDetails,
  type CompanyParts,
  deriveCompanyFacts,
  deriveControl,
  deriveIdentity,
  describeCode,
  describeFilings,
  describeSector,
  formatAddress,
  IDENTITY_STATES,
  isInOffice,
  isOffRegister,
  isOverseasEntity,
  listWarnings,
  PARTS,
  REGISTER_SITE,
} from '../../../register/index.ts'
import { getDetailsFor } from '../../../resolution/index.ts'
import { CompanyBrief, formatStatus, presentBrief } from '../answers/domain.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool, READS } from '../tool.ts'

const OFFICERS_MAX = 10
const OWNERS_MAX = 5
const CHARGES_MAX = 3
const FILINGS_MAX = 5
const PERIODS_MAX = 3
const NAMES_MAX = 5
const STATEMENTS_MAX = 3

const text = z.string().nullable()
const flag = z.boolean().nullable()

const pounds = z.int().nullable()

const Identity = z
  .object({ state: z.enum(IDENTITY_STATES), due_on: text })
  .nullable()
  .describe('Identity verification. Null: the register says nothing.')

const Deadline = z.object({
  next_due: text,
  overdue: flag,
  days_until_due: z.int().nullable().describe('Negative when overdue.'),
})

/** A company in as few words as answer most questions; how many more of each part there are is said beside. */
const CompanyProfile = CompanyBrief.extend({
  company_status_detail: text,
  company_type: z.string(),
  company_type_text: z.string(),
  register_url: z.string().describe('The page of the register itself, for a person.'),
  dissolved_on: text,
  registered_address: text,
  warnings: z.array(z.string()).describe('What to know first. Say these to people.'),
  sic_codes: z.array(z.string()),
  sic_codes_text: z.array(text).describe('Their names, in the same order.'),
  previous_names: z.array(z.string()),
  accounts: Deadline.extend({ type: text, type_text: text }),
  confirmation_statement: Deadline.describe('Of an overseas entity: its yearly update statement.'),
  insolvency: z.object({ has_history: flag, current_status: text, current_status_text: text }),
  officers: z
    .array(
      z.object({
        name: text,
        role: text,
        role_text: text,
        appointed_on: text,
        identity: Identity,
        officer_id: text.describe('For get_officer.'),
      }),
    )
    .nullable()
    .describe('In office now.'),
  recent_resignations: z
    .array(z.object({ name: text, role: text, role_text: text, resigned_on: z.string() }))
    .describe('Last 12 months.'),
  owners: z
    .array(
      z.object({
        name: text,
        kind: text,
        kind_text: text,
        country_registered: text.describe('Of an owner that is a company.'),
        natures_of_control: z.array(z.string()),
        natures_of_control_text: z.array(z.string()),
        control: z.enum(CONTROLS).nullable(),
        is_sanctioned: z.boolean().describe('The register marks the owner as sanctioned.'),
        identity: Identity,
        company_number: text.describe('Of an owner that is a company on the UK register.'),
      }),
    )
    .nullable()
    .describe('Persons with significant control, in force now.'),
  owner_statements: z
    .array(text)
    .nullable()
    .describe('What the company says in place of naming owners: that it has none, or need not say. In force now.'),
  charges: z
    .array(
      z.object({
        status: text,
        status_text: text,
        created_on: text,
        persons_entitled: z.array(z.string()),
        particulars_text: z.array(z.string()).describe('Fixed or floating, negative pledge, and what it is over.'),
        secured_text: text.describe('The debt behind it.'),
        assets_ceased_released_text: text,
      }),
    )
    .nullable()
    .describe('The newest.'),
  has_active_charges: flag,
  filings: z
    .array(
      z.object({
        date: text,
        description: text,
        description_text: z.string(),
        details_text: z.array(z.string()),
        document_url: text.describe('The document on the register’s own site.'),
      }),
    )
    .nullable()
    .describe('The newest.'),
  figures: z
    .array(
      z.object({
        period_end: z.string(),
        employees: z.int().nullable(),
        net_assets: pounds,
        current_assets: pounds,
        creditors: pounds,
        cash: pounds,
        turnover: pounds,
        is_dormant: flag,
        source_on: z.string().describe('The day of the file with these accounts.'),
      }),
    )
    .describe(
      'From the last filed accounts, in pounds. Null: not stated. Turnover seldom is; large companies are often absent.',
    ),
  figures_as_of: text.describe('The newest day of the accounts files. Null: this service has read none.'),
  totals: z
    .object({ officers: z.int().nullable(), pscs: z.int().nullable(), charges: z.int().nullable() })
    .describe('How many the register has, with those of the past.'),
  missing: z.array(z.enum(PARTS)).describe('Parts that are not available now. They are null; ask again later.'),
})

/** An agent reads the beginning of a deed's text. */
const CHARGE_TEXT_MAX = 300

function shorten(text: string | null): string[] {
  if (text === null) return []
  return [text.length <= CHARGE_TEXT_MAX ? text : `${text.slice(0, CHARGE_TEXT_MAX - 1).toWellFormed()}…`]
}

type Profile = z.input<typeof CompanyProfile>
type Person = NonNullable<CompanyDetails['officers' | 'pscs']['items']>[number]

/** `today` is the date in London: what is overdue is never stored. */
function presentCompany(details: CompanyDetails, today: string, peopleFeatures: boolean): Profile {
  const { company } = details
  const facts = deriveCompanyFacts(company, details, today)
  const total = (part: keyof CompanyParts) => details[part].total ?? details[part].items?.length ?? null
  return {
    ...presentBrief(company),
    company_type: company.type,
    company_type_text: describeCode('company_type', company.type),
    register_url: `${REGISTER_SITE}/company/${company.number}`,
    dissolved_on: company.dissolvedOn,
    registered_address: formatAddress(company.address),
    warnings: listWarnings(details, facts, today).map(({ text: words }) => words),
    sic_codes: company.sicCodes,
    sic_codes_text: company.sicCodes.map(describeSector),
    previous_names: company.previousNames.slice(0, NAMES_MAX).map(({ name }) => name),
    accounts: {
      type: facts.accounts_type,
      type_text: facts.accounts_type_text,
      next_due: facts.accounts_next_due,
      overdue: facts.accounts_overdue,
      days_until_due: facts.accounts_days_until_due,
    },
    confirmation_statement: {
      next_due: facts.confirmation_next_due,
      overdue: facts.confirmation_overdue,
      days_until_due: facts.confirmation_days_until_due,
    },
    insolvency: {
      has_history: facts.has_insolvency_history,
      current_status: facts.current_insolvency_status,
      current_status_text: facts.current_insolvency_status_text,
    },
    recent_resignations: facts.recent_resignations
      .slice(0, OFFICERS_MAX)
      .map(({ name, role, role_text, resigned_on }) => ({ name, role, role_text, resigned_on })),
    has_active_charges: facts.has_active_charges,
    ...presentParts(details, today, peopleFeatures),
    figures: details.figures.slice(0, PERIODS_MAX),
    figures_as_of: details.figuresAsOf,
    totals: { officers: total('officers'), pscs: total('pscs'), charges: total('charges') },
    missing: PARTS.filter((part) => details[part].missing !== null),
  }
}

function presentParts(details: CompanyDetails, today: string, peopleFeatures: boolean) {
  const { company, officers, pscs, charges, filings, ownerStatements } = details
  const isLive = !isOffRegister(company.status)
  const identityOf = ({ identity }: Person) => {
    const derived = deriveIdentity(identity, isLive, today)
    return derived && { state: derived.state, due_on: derived.due_on }
  }
  return {
    officers:
      officers.items
        ?.filter((officer) => isInOffice(officer, today))
        .slice(0, OFFICERS_MAX)
        .map((officer) => ({
          name: officer.name,
          role: officer.role,
          role_text: officer.role_text,
          appointed_on: officer.appointed_on,
          identity: identityOf(officer),
          officer_id: peopleFeatures ? officer.officer_id : null,
        })) ?? null,
    owners:
      pscs.items
        ?.filter(({ is_ceased }) => !is_ceased)
        .slice(0, OWNERS_MAX)
        .map((owner) => ({
          name: owner.name,
          kind: owner.kind,
          kind_text: owner.kind_text,
          country_registered: owner.identification.country_registered,
          natures_of_control: owner.natures_of_control,
          natures_of_control_text: owner.natures_of_control_text,
          control: deriveControl(owner.natures_of_control),
          is_sanctioned: owner.is_sanctioned,
          identity: identityOf(owner),
          company_number: owner.company?.number ?? null,
        })) ?? null,
    owner_statements:
      ownerStatements
        ?.filter(({ ceased_on }) => ceased_on === null)
        .slice(0, STATEMENTS_MAX)
        .map(({ statement_text: words }) => words) ?? null,
    charges:
      charges.items?.slice(0, CHARGES_MAX).map((charge) => ({
        status: charge.status,
        status_text: charge.status_text,
        created_on: charge.created_on,
        persons_entitled: charge.persons_entitled,
        particulars_text: [
          ...(charge.particulars?.flags_text ?? []),
          ...shorten(charge.particulars?.description ?? null),
        ],
        secured_text: shorten(charge.secured_details?.description ?? null)[0] ?? null,
        assets_ceased_released_text: charge.assets_ceased_released_text,
      })) ?? null,
    filings:
      filings.items &&
      describeFilings(company.number, filings.items, FILINGS_MAX).map((filing) => ({
        date: filing.date,
        description: filing.description,
        description_text: filing.description_text,
        details_text: filing.details_text,
        document_url: filing.document_url,
      })),
  }
}

function formatCompany(profile: Profile): string {
  const { accounts, confirmation_statement: confirmation, insolvency, officers } = profile
  const since = profile.incorporated_on ? `, since ${profile.incorporated_on}` : ''
  const names = officers?.map(({ name, role_text: role }) => `${name} (${role})`).join('; ')
  const owners = formatOwners(profile)
  const sectors = profile.sic_codes_text.filter(Boolean).join('; ')
  const latest = profile.filings?.map(({ date, description_text: words }) => `${words} (${date})`).join('; ')
  const lines = [
    `${profile.company_name} (${profile.company_number}): ${formatStatus(profile)}${since}.`,
    profile.warnings.length > 0 && `Warnings: ${profile.warnings.join(' ')}`,
    profile.registered_address && `Registered office: ${profile.registered_address}.`,
    formatDeadline('accounts', accounts.next_due, accounts.overdue),
    formatDeadline(
      isOverseasEntity(profile.company_number) ? 'update_statement' : 'confirmation_statement',
      confirmation.next_due,
      confirmation.overdue,
    ),
    insolvency.current_status_text && `Insolvency: ${insolvency.current_status_text}.`,
    profile.has_active_charges && 'There are charges outstanding.',
    formatCharge(profile.charges?.[0]),
    sectors && `Trade: ${sectors}.`,
    formatFigures(profile),
    names && `In office: ${names}.`,
    owners && `Owners: ${owners}.`,
    latest && `Last filings: ${latest}.`,
    `On the register: ${profile.register_url}`,
    profile.missing.length > 0 && `Not available now: ${profile.missing.map(formatPart).join(', ')}.`,
  ]
  return lines.filter(Boolean).join('\n')
}

/** Returns the newest charge with what it is over, where the register says that. */
function formatCharge(charge: NonNullable<Profile['charges']>[number] | undefined): string | null {
  if (!charge || charge.particulars_text.length === 0) return null
  const lenders = charge.persons_entitled.length > 0 ? `, to ${charge.persons_entitled.join(', ')}` : ''
  const released = charge.assets_ceased_released_text ? ` ${charge.assets_ceased_released_text}.` : ''
  const status = charge.status_text ? ` (${charge.status_text.toLowerCase()})` : ''
  return `Newest charge${status}${lenders}: ${charge.particulars_text.join('; ')}.${released}`
}

/** Returns the owners by name, and what the company says where it names none. */
function formatOwners({ owners, owner_statements: statements }: Profile): string | null {
  const named = (owners ?? []).map(({ name, kind_text: kind }) => name ?? kind)
  return [...named, ...(statements ?? [])].filter(Boolean).join('; ') || null
}

const formatPart = (part: keyof CompanyParts): string => (part === 'pscs' ? 'persons with significant control' : part)

function formatFigures({ figures: [latest], figures_as_of: asOf }: Profile): string | null {
  if (!latest) return asOf === null ? 'Figures of accounts: this service has not loaded the accounts files yet.' : null
  const { period_end: end, employees, net_assets: netAssets, turnover, is_dormant: isDormant } = latest
  const parts = [
    isDormant && 'dormant',
    employees !== null && `${employees} employees`,
    netAssets !== null && `net assets £${netAssets}`,
    turnover !== null && `turnover £${turnover}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : `Accounts to ${end}: ${parts.join(', ')}.`
}

export const getCompany = defineTool({
  name: 'get_company',
  title: 'What does the register say about this company?',
  description:
    'What does the register say about this company today? The profile by company number: whether it is active or ' +
    'dissolved, registered office address, directors and secretaries, persons with significant control, mortgages and ' +
    'charges, insolvency, industry codes, employees and net assets from filed accounts, and when accounts and the confirmation statement are due or overdue. ' +
    'Use it for due diligence and to check that a company exists. Free. ' +
    'With nothing but a name, call search_companies first. ' +
    'For what changed over time use list_company_signals instead.',
  input: z.object({ company_number: CompanyNumber }),
  output: CompanyProfile,
  hints: READS,
  answer: async (app, { company_number: typed }, { agent }) => {
    const details = await getDetailsFor(app, agent, readCompanyNumber(typed))
    const structured = presentCompany(details, toLondonDate(app.clock.now()), app.config.peopleFeatures)
    return { structured, text: formatCompany(structured) }
  },
})
