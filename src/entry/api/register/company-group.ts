import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import {
  CONTROLS,
  describeControl,
  describeTop,
  GROUP_TOPS,
  type Group,
  type GroupOwner,
  OWNER_KINDS,
  type OwnedPage,
  presentStatusDetail,
  readGroupOf,
} from '../../../register/index.ts'
import { findCompanyFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, MaybeText, presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { readCompanyNumber } from './company-profile.ts'
import { StatusDetail } from './status-detail.ts'

const LIMIT_MAX = 100

const Status = { company_status_detail: StatusDetail.company_status_detail, company_status_text: MaybeText }
const ControlText = MaybeText.describe('`control` in words.')

const Owner = z
  .object({
    kind: z
      .enum(OWNER_KINDS)
      .describe(
        '`company`: on the UK register. `organisation`: elsewhere, or its number and name agree with no company.',
      ),
    name: MaybeText.describe('Null for a protected person and for a person whose name is withheld.'),
    company_number: MaybeText.describe('Of a company on the UK register whose name agrees.'),
    company_status: MaybeText,
    ...Status,
    country_registered: MaybeText,
    registration_number: MaybeText.describe('As the record states it.'),
    control: z
      .enum(CONTROLS)
      .nullable()
      .describe(
        '`more_than_quarter`: of an overseas entity, which states no more; it may be a majority. `through_others` is no ' +
          'ownership: as a trustee or a member of a firm.',
      ),
    control_text: ControlText,
    majority_claimed_twice: z
      .boolean()
      .describe(
        'This owner and another, of which one is an organisation, each claim more than half of the shares, or each of the ' +
          'votes: a record is wrong or old.',
      ),
    notified_on: CalendarDate.nullable(),
  })
  .meta({ id: 'GroupOwner' })

const Owned = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string(),
    ...Status,
    control: z.enum(CONTROLS).nullable(),
    control_text: ControlText,
    notified_on: CalendarDate.nullable(),
  })
  .meta({ id: 'GroupCompany' })

const OwnedList = z
  .object({
    data: z.array(Owned),
    total: z.int().describe('Counted up to 1,000: that number means that many or more.'),
    next_cursor: MaybeText,
  })
  .meta({ id: 'GroupCompanies' })
  .nullable()
  .describe('Live companies by their numbers. Null while the file of all owners is not imported.')

export const CompanyGroup = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    as_of: Time.nullable().describe(
      'When the register last said so; null while the file of all owners is not imported.',
    ),
    owners: z.array(Owner).describe('The owners of the company in force.'),
    ancestors: z
      .array(Owner)
      .describe(
        'The parent, its parent and so on, nearest first, while there is exactly one. Above an overseas entity it may be the ' +
          'only owner with a share, whose majority is not proven: its `control` is `more_than_quarter`. At most 20.',
      ),
    top: z.enum(GROUP_TOPS).describe('Why it ends there.'),
    top_text: z.string().describe('`top` in words.'),
    top_statement_text: MaybeText.describe(
      'With `exempt` and `stated`: what the last company says of its owners, in the words of the register.',
    ),
    top_owners: z
      .array(Owner)
      .describe('The owners of the last company above; of the company itself if it has no parent.'),
    children: OwnedList,
    siblings: OwnedList,
  })
  .meta({ id: 'CompanyGroup' })

export function companyGroupRoutes(app: App, server: Server): void {
  server.get('/v1/companies/:company_number/group', GROUP, async (request) => {
    const caller = callerOf(request)
    const number = readCompanyNumber(request.params.company_number)
    const company = await findCompanyFor(app, caller, number)
    if (!company)
      throw new DomainError('company_not_found', `We have no company ${number}. Find it with the company search.`)
    const { limit, children_cursor: children = null, siblings_cursor: siblings = null } = request.query
    const group = await readGroupOf(app.db, company, { limit, children, siblings })
    return presentGroup(company, group)
  })
}

export function presentGroup(
  { number, name }: { number: string; name: string },
  group: Group & { asOf: Date | null },
): z.input<typeof CompanyGroup> {
  const { asOf, top } = group
  return {
    company_number: number,
    company_name: name,
    as_of: asOf && presentTime(asOf),
    owners: group.owners.map(presentOwner),
    ancestors: group.ancestors.map(presentOwner),
    top,
    top_text: describeTop(top),
    top_statement_text: group.statementText,
    top_owners: group.topOwners.map(presentOwner),
    children: asOf && presentOwned(group.children),
    siblings: asOf && presentOwned(group.siblings),
  }
}

function presentOwner(owner: GroupOwner) {
  return {
    kind: owner.kind,
    name: owner.name,
    company_number: owner.companyNumber,
    company_status: owner.status,
    ...(owner.status === null ? NO_STATUS : presentStatusDetail({ ...owner, status: owner.status })),
    country_registered: owner.countryRegistered,
    registration_number: owner.registrationNumber,
    control: owner.control,
    control_text: owner.control && describeControl(owner.control),
    majority_claimed_twice: owner.isMajorityClaimedTwice,
    notified_on: owner.notifiedOn,
  }
}

const NO_STATUS = { company_status_detail: null, company_status_text: null }

function presentOwned({ companies, total, nextCursor }: OwnedPage) {
  const data = companies.map(({ companyNumber, companyName, status, statusDetail, control, notifiedOn }) => ({
    company_number: companyNumber,
    company_name: companyName,
    company_status: status,
    ...presentStatusDetail({ status, statusDetail }),
    control,
    control_text: control && describeControl(control),
    notified_on: notifiedOn,
  }))
  return { data, total, next_cursor: nextCursor }
}

const cursor = z
  .string()
  .regex(/^[A-Z0-9]{8}$/)
  .optional()

const GROUP = describeRoute({
  operationId: 'getCompanyGroup',
  summary: 'The group of a company: who owns it, what it owns, and its sister companies',
  description:
    'From the persons with significant control on the register. An organisation is linked to a company when its number and its ' +
    'name agree with the register; a number of another country is never taken for one of the UK. A test key sees the test ' +
    'companies, which have no group.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params: z.object({ company_number: z.string().max(20).describe('As people write it: `SC 12345` will do.') }),
  querystring: z.object({
    limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(50).describe('Companies in each list.'),
    children_cursor: cursor.describe('`next_cursor` of the children on the page before.'),
    siblings_cursor: cursor.describe('`next_cursor` of the siblings on the page before.'),
  }),
  answers: { 200: { description: 'The group.', schema: CompanyGroup } },
  errors: ['company_not_found'],
})
