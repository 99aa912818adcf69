import { z } from 'zod'
import { toLondonDate } from '../../../lib/clock.ts'
import { formatDeadline } from '../../../lib/text/wording.ts'
import {
  CONTROLS,
  type CompanyDetails,
  type CompanyParts,
  deriveCompanyFacts,
  deriveControl,
  describeFilings,
  describeSector,
  formatAddress,
  listWarnings,
  PARTS,
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

const text = z.string().nullable()
const flag = z.boolean().nullable()

const pounds = z.int().nullable()

const Deadline = z.object({
  next_due: text,
  overdue: flag,
  days_until_due: z.int().nullable().describe('Negative when overdue.'),
})

/** A company in as few words as answer most questions; how many more of each part there are is said beside. */
const CompanyProfile = CompanyBrief.extend({
  company_status_detail: text,
  company_type: z.string(),
  dissolved_on: text,
  registered_address: text,
  warnings: z.array(z.string()).describe('What to know first. Say these to people.'),
  sic_codes: z.array(z.string()),
  sic_codes_text: z.array(text).describe('Their names, in the same order.'),
  previous_names: z.array(z.string()),
  accounts: Deadline.extend({ type: text }),
  confirmation_statement: Deadline,
  insolvency: z.object({ has_history: flag, current_status: text }),
  officers: z
    .array(
      z.object({
        name: text,
        role: text,
        role_text: text,
        appointed_on: text,
        officer_id: text.describe('For get_officer.'),
      }),
    )
    .nullable()
    .describe('In office now.'),
  recent_resignations: z
    .array(z.object({ name: text, role: text, resigned_on: z.string() }))
    .describe('Last 12 months.'),
  owners: z
    .array(
      z.object({
        name: text,
        kind: text,
        natures_of_control: z.array(z.string()),
        natures_of_control_text: z.array(z.string()),
        control: z.enum(CONTROLS).nullable(),
        company_number: text.describe('Of an owner that is a company on the UK register.'),
      }),
    )
    .nullable()
    .describe('Persons with significant control, in force now.'),
  charges: z
    .array(z.object({ status: text, created_on: text, persons_entitled: z.array(z.string()) }))
    .nullable()
    .describe('The newest.'),
  has_active_charges: flag,
  filings: z
    .array(z.object({ date: text, description: text, description_text: z.string() }))
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
      }),
    )
    .describe(
      'From the last filed accounts, in pounds. Null: not stated. Turnover seldom is; large companies are often absent.',
    ),
  totals: z
    .object({ officers: z.int().nullable(), pscs: z.int().nullable(), charges: z.int().nullable() })
    .describe('How many the register has, with those of the past.'),
  missing: z.array(z.enum(PARTS)).describe('Parts that are not available now. They are null; ask again later.'),
})

type Profile = z.input<typeof CompanyProfile>

/** `today` is the date in London: what is overdue is never stored. */
function presentCompany(details: CompanyDetails, today: string, peopleFeatures: boolean): Profile {
  const { company } = details
  const facts = deriveCompanyFacts(company, details, today)
  const total = (part: keyof CompanyParts) => details[part].total ?? details[part].items?.length ?? null
  return {
    ...presentBrief(company),
    company_type: company.type,
    dissolved_on: company.dissolvedOn,
    registered_address: formatAddress(company.address),
    warnings: listWarnings(details, facts, today).map(({ text: words }) => words),
    sic_codes: company.sicCodes,
    sic_codes_text: company.sicCodes.map(describeSector),
    previous_names: company.previousNames.slice(0, NAMES_MAX).map(({ name }) => name),
    accounts: {
      type: facts.accounts_type,
      next_due: facts.accounts_next_due,
      overdue: facts.accounts_overdue,
      days_until_due: facts.accounts_days_until_due,
    },
    confirmation_statement: {
      next_due: facts.confirmation_next_due,
      overdue: facts.confirmation_overdue,
      days_until_due: facts.confirmation_days_until_due,
    },
    insolvency: { has_history: facts.has_insolvency_history, current_status: facts.current_insolvency_status },
    recent_resignations: facts.recent_resignations
      .slice(0, OFFICERS_MAX)
      .map(({ name, role, resigned_on }) => ({ name, role, resigned_on })),
    has_active_charges: facts.has_active_charges,
    ...presentParts(details, peopleFeatures),
    figures: details.figures.slice(0, PERIODS_MAX),
    totals: { officers: total('officers'), pscs: total('pscs'), charges: total('charges') },
    missing: PARTS.filter((part) => details[part].missing !== null),
  }
}

function presentParts(details: CompanyDetails, peopleFeatures: boolean) {
  const {
    company: { number },
    officers,
    pscs,
    charges,
    filings,
  } = details
  return {
    officers:
      officers.items
        ?.filter(({ resigned_on }) => resigned_on === null)
        .slice(0, OFFICERS_MAX)
        .map(({ name, role, role_text, appointed_on, officer_id: id }) => ({
          name,
          role,
          role_text,
          appointed_on,
          officer_id: peopleFeatures ? id : null,
        })) ?? null,
    owners:
      pscs.items
        ?.filter(({ ceased_on }) => ceased_on === null)
        .slice(0, OWNERS_MAX)
        .map(({ name, kind, natures_of_control, natures_of_control_text, company }) => ({
          name,
          kind,
          natures_of_control,
          natures_of_control_text,
          control: deriveControl(natures_of_control),
          company_number: company?.number ?? null,
        })) ?? null,
    charges:
      charges.items
        ?.slice(0, CHARGES_MAX)
        .map(({ status, created_on, persons_entitled }) => ({ status, created_on, persons_entitled })) ?? null,
    filings:
      filings.items &&
      describeFilings(number, filings.items, FILINGS_MAX).map(({ date, description, description_text: words }) => ({
        date,
        description,
        description_text: words,
      })),
  }
}

function formatCompany(profile: Profile): string {
  const { accounts, confirmation_statement: confirmation, insolvency, officers } = profile
  const since = profile.incorporated_on ? `, since ${profile.incorporated_on}` : ''
  const names = officers?.map(({ name, role_text: role }) => `${name} (${role})`).join('; ')
  const sectors = profile.sic_codes_text.filter(Boolean).join('; ')
  const latest = profile.filings?.map(({ date, description_text: words }) => `${words} (${date})`).join('; ')
  const lines = [
    `${profile.company_name} (${profile.company_number}): ${formatStatus(profile)}${since}.`,
    profile.warnings.length > 0 && `Warnings: ${profile.warnings.join(' ')}`,
    profile.registered_address && `Registered office: ${profile.registered_address}.`,
    formatDeadline('accounts', accounts.next_due, accounts.overdue),
    formatDeadline('confirmation_statement', confirmation.next_due, confirmation.overdue),
    insolvency.current_status && `Insolvency: ${insolvency.current_status}.`,
    profile.has_active_charges && 'There are charges outstanding.',
    sectors && `Trade: ${sectors}.`,
    formatFigures(profile.figures[0]),
    names && `In office: ${names}.`,
    latest && `Last filings: ${latest}.`,
    profile.missing.length > 0 && `Not available now: ${profile.missing.join(', ')}.`,
  ]
  return lines.filter(Boolean).join('\n')
}

function formatFigures(latest: Profile['figures'][number] | undefined): string | null {
  if (!latest) return null
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
