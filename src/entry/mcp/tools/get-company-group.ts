import { z } from 'zod'
import { DomainError } from '../../../errors.ts'
import {
  CONTROLS,
  describeStatus,
  describeTop,
  type Group,
  type GroupOwner,
  OWNER_KINDS,
  type OwnedPage,
  readGroupOf,
} from '../../../register/index.ts'
import { findCompanyFor } from '../../../resolution/index.ts'
import { CompanyNumber, readCompanyNumber } from '../company-number.ts'
import { defineTool, READS } from '../tool.ts'

const SAID_MAX = 5
const TOP_OWNERS_MAX = 10

const text = z.string().nullable()
const cursor = z.string().regex(/^[A-Z0-9]{8}$/)

const OwnerBrief = z.object({
  name: text,
  kind: z.enum(OWNER_KINDS),
  company_number: text.describe('Of a company on the UK register.'),
  country_registered: text,
  company_status: text,
  control: z.enum(CONTROLS).nullable(),
  majority_claimed_twice: z
    .boolean()
    .describe('Another owner claims the majority of the same shares or votes: a record is wrong or old.'),
})

const OwnedList = z
  .object({
    total: z.int().describe('1000 means that many or more.'),
    data: z.array(
      z.object({ company_number: z.string(), company_name: z.string(), control: z.enum(CONTROLS).nullable() }),
    ),
    next_cursor: text,
  })
  .nullable()
  .describe('Null: not known, because the file of all owners is not imported.')

const CompanyGroup = z.object({
  company_number: z.string(),
  company_name: z.string(),
  owners: z.array(OwnerBrief).describe('In force now.'),
  ancestors: z.array(OwnerBrief).describe('The parent, its parent and so on.'),
  top: z.string().describe('Why there is no owner further up.'),
  top_statement_text: text.describe('What the last company says of its owners instead of naming them.'),
  top_owners: z
    .array(OwnerBrief)
    .describe('The owners of the last company above; of the company itself if it has no parent.'),
  children: OwnedList,
  siblings: OwnedList,
})

type CompanyGroup = z.input<typeof CompanyGroup>

function presentGroup(company: { number: string; name: string }, group: Group & { asOf: Date | null }): CompanyGroup {
  return {
    company_number: company.number,
    company_name: company.name,
    owners: group.owners.map(presentOwner),
    ancestors: group.ancestors.map(presentOwner),
    top: describeTop(group.top),
    top_statement_text: group.statementText,
    top_owners: group.topOwners.slice(0, TOP_OWNERS_MAX).map(presentOwner),
    children: group.asOf && presentOwned(group.children),
    siblings: group.asOf && presentOwned(group.siblings),
  }
}

function presentOwner(owner: GroupOwner) {
  const { name, kind, companyNumber, countryRegistered, status, statusDetail, control } = owner
  return {
    name,
    kind,
    company_number: companyNumber,
    country_registered: countryRegistered,
    company_status: status && describeStatus({ status, statusDetail }),
    control,
    majority_claimed_twice: owner.isMajorityClaimedTwice,
  }
}

function presentOwned({ companies, total, nextCursor }: OwnedPage) {
  const data = companies.map(({ companyNumber, companyName, control }) => {
    return { company_number: companyNumber, company_name: companyName, control }
  })
  return { total, data, next_cursor: nextCursor }
}

/** For an owner of more than a quarter of an overseas entity, which may have the majority. */
const LIKELY = 'belongs by more than a quarter, and may belong by more than half, to'

function formatGroup(group: CompanyGroup): string {
  const { company_name: company, ancestors, top, top_statement_text: statement, children, siblings } = group
  const chain = ancestors.map(({ name, company_number: number, control }, index) => {
    const link = control === 'more_than_quarter' ? LIKELY : 'belongs to'
    const before = index === 0 ? company : ', which'
    return `${before} ${link} ${number === null ? name : `${name} (${number})`}`
  })
  const owners =
    group.ancestors.length > 0 &&
    group.top_owners
      .flatMap(({ name }) => name ?? [])
      .slice(0, SAID_MAX)
      .join('; ')
  const lines = [
    chain.length > 0 && `${chain.join('')}.`,
    chain.length === 0 && children !== null && `${company} has no parent company on record.`,
    statement === null ? top : `${top} ${statement.replace(/\.$/, '')}.`,
    owners && `Owners at the top: ${owners}.`,
    formatClaims(company, group.owners),
    ancestors.length > 0 && formatClaims(ancestors.at(-1)?.name ?? 'the last owner', group.top_owners),
    formatOwned('Companies that it controls or holds', children),
    formatOwned('Sister companies', siblings),
  ]
  return lines.filter(Boolean).join('\n')
}

/** Returns who claims the same majority of one company, where more than one does. */
function formatClaims(company: string, owners: CompanyGroup['owners']): string | null {
  const claims = owners.filter(({ majority_claimed_twice: isClaimed }) => isClaimed)
  if (claims.length === 0) return null
  const names = claims.slice(0, SAID_MAX).map(({ name }) => name ?? 'a person without a name on record')
  return `More than one owner claims the majority of ${company}: ${names.join('; ')}. Some records may be out of date.`
}

function formatOwned(words: string, list: CompanyGroup['children']): string | null {
  if (!list || list.total === 0) return null
  const names = list.data
    .slice(0, SAID_MAX)
    .map(({ company_name: name, company_number: number }) => `${name} (${number})`)
  return `${words}: ${list.total}. ${names.join('; ')}${list.total > names.length ? ' and others.' : '.'}`
}

export const getCompanyGroup = defineTool({
  name: 'get_company_group',
  title: 'Which group does this company belong to?',
  description:
    'Which group does this company belong to? Its parent and ultimate parent, its subsidiaries and its sister companies, by ' +
    'company number, as far as ownership records of the register connect them. Foreign parents are named, never guessed. Free. ' +
    'For one company alone use get_company instead.',
  input: z.object({
    company_number: CompanyNumber,
    limit: z.int().min(1).max(50).default(10).describe('How many subsidiaries and sisters at most.'),
    children_cursor: cursor.optional().describe('children.next_cursor of the answer before.'),
    siblings_cursor: cursor.optional().describe('siblings.next_cursor of the answer before.'),
  }),
  output: CompanyGroup,
  hints: READS,
  answer: async (app, input, { agent }) => {
    const number = readCompanyNumber(input.company_number)
    const company = await findCompanyFor(app, agent, number)
    if (!company)
      throw new DomainError('company_not_found', `We have no company ${number}. Find it with search_companies.`)
    const { limit, children_cursor: children = null, siblings_cursor: siblings = null } = input
    const structured = presentGroup(company, await readGroupOf(app.db, company, { limit, children, siblings }))
    return { structured, text: formatGroup(structured) }
  },
})
