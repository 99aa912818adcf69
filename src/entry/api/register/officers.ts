import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  CHECK_RESULTS,
  type DisqualificationCheck,
  describeCheck,
  isOfficerId,
  MAY_BE_SEVERAL_PEOPLE,
  NOT_CHECKED_REASONS,
  type OfficerRecord,
  ORDER_STATES,
} from '../../../register/index.ts'
import { checkOfficerFor, readOfficerFor } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { CalendarDate, inWords, MaybeText, presentMembers, presentTime, Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'

const date = CalendarDate.nullable()
const BirthMonth = z.object({ month: z.int().nullable(), year: z.int() }).nullable()

const Appointment = z
  .object({
    company_number: MaybeText,
    company_name: MaybeText,
    company_status: MaybeText,
    company_status_text: inWords('company_status'),
    role: MaybeText,
    role_text: inWords('role'),
    appointed_on: date,
    appointed_before: date.describe('Instead of `appointed_on` for appointments from before 1992.'),
    resigned_on: date,
  })
  .meta({ id: 'Appointment' })

export const OfficerBody = z
  .object({
    officer_id: z.string(),
    name: MaybeText.describe('As the register writes it; null when nothing could be fetched.'),
    date_of_birth: BirthMonth.describe('The register publishes no day.'),
    is_company: z.boolean().describe('The officer is a company or firm.'),
    identity_note: z.string().describe('Possibly several people: what one record can mean. Show it with the list.'),
    appointments: z
      .array(Appointment)
      .nullable()
      .describe('At most 200, those in office first. Null when nothing could be fetched.'),
    appointments_total: z.int().nullable().describe('How many the register has.'),
    register_url: z.string().describe('The officer on the register’s own site.'),
    as_of: Time.nullable().describe('When the register said so; null when nothing could be fetched.'),
    missing: z
      .array(
        z.object({
          part: z.enum(['appointments']),
          reason: z.enum(['not_configured', 'budget_spent', 'register_unavailable', 'register_refused']),
          retry_at: Time.nullable().describe('When to ask again, if we know it.'),
        }),
      )
      .describe('Not empty when some or all appointments could not be fetched now.'),
  })
  .meta({ id: 'OfficerAppointments' })

const Order = z
  .object({
    name: z.string().describe('Of the disqualified person.'),
    state: z.enum(ORDER_STATES).describe('By its days, for today in London.'),
    disqualified_from: date,
    disqualified_until: date.describe('The last day; null without an end.'),
    type: MaybeText,
    type_text: inWords('type'),
    reason: MaybeText,
    reason_text: inWords('reason'),
    act_text: MaybeText.describe('The law with its section.'),
    company_names: z.array(z.string()),
    court_name: MaybeText,
    has_permission_to_act: z.boolean().describe('A court allows the person to act for some companies.'),
    register_url: z.string(),
  })
  .meta({ id: 'DisqualificationOrder' })

export const CheckBody = z
  .object({
    officer_id: z.string(),
    name: MaybeText,
    date_of_birth: BirthMonth,
    result: z
      .enum(CHECK_RESULTS)
      .describe(
        '`found`: same name, same month and year of birth. `possible`: the same, except that one record leaves out or ' +
          'abbreviates further forenames. Never by name alone.',
      ),
    result_text: z.string().describe('`result` as a sentence.'),
    not_checked_reason: z.enum(NOT_CHECKED_REASONS).nullable().describe('With `not_checked`.'),
    retry_at: Time.nullable().describe('With `not_checked`: when to ask again, if we know it.'),
    orders: z.array(Order).describe('In force first. Empty unless `found` or `possible`.'),
    as_of: Time.nullable().describe('When the register said so; null when it was not asked.'),
  })
  .meta({ id: 'DisqualificationCheck' })

export function officersRoutes(app: App, server: Server): void {
  server.get('/v1/officers/:officer_id', OFFICER, async (request) => {
    const officer = await readOfficerFor(app, callerOf(request), request.params.officer_id)
    return presentOfficer(officer)
  })

  server.get('/v1/officers/:officer_id/disqualifications', DISQUALIFICATIONS, async (request) => {
    const check = await checkOfficerFor(app, callerOf(request), request.params.officer_id)
    return presentCheck(check)
  })
}

function presentOfficer(officer: OfficerRecord): z.input<typeof OfficerBody> {
  const { missing } = officer
  return {
    officer_id: officer.officerId,
    name: officer.name,
    date_of_birth: officer.dateOfBirth,
    is_company: officer.isCompany,
    identity_note: MAY_BE_SEVERAL_PEOPLE,
    appointments: officer.appointments?.map(presentMembers) ?? null,
    appointments_total: officer.total,
    register_url: officer.registerUrl,
    as_of: officer.asOf && presentTime(officer.asOf),
    missing: missing
      ? [
          {
            part: 'appointments',
            reason: missing.reason,
            retry_at: missing.retryAt && presentTime(missing.retryAt),
          },
        ]
      : [],
  }
}

function presentCheck(check: DisqualificationCheck): z.input<typeof CheckBody> {
  const { officer, retryAt, asOf } = check
  return {
    officer_id: officer.officerId,
    name: officer.name,
    date_of_birth: officer.dateOfBirth,
    result: check.result,
    result_text: describeCheck(check),
    not_checked_reason: check.reason,
    retry_at: retryAt && presentTime(retryAt),
    orders: check.orders.map(({ from, until, ...order }) => ({
      ...presentMembers(order),
      disqualified_from: from,
      disqualified_until: until,
    })),
    as_of: asOf && presentTime(asOf),
  }
}

const params = z.object({
  officer_id: z
    .string()
    .max(40)
    .refine(isOfficerId, 'must be an id of the register, as `officer_id` in a company’s profile is')
    .describe('`officer_id` of an officer in a company’s profile.'),
})

const OFFICER = describeRoute({
  operationId: 'getOfficer',
  summary: 'An officer’s appointments in all companies',
  description:
    'Fetched from the register when you ask, and not stored. One record is not one person: see `identity_note`. When the register ' +
    'is not available, the response says what is missing. The operator can switch this off; then it is 404. A test key reads the ' +
    'test officers, and no others.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params,
  answers: { 200: { description: 'The officer.', schema: OfficerBody } },
  errors: ['not_found'],
})

const DISQUALIFICATIONS = describeRoute({
  operationId: 'checkOfficerDisqualifications',
  summary: 'Whether the register has orders against a person of the officer’s name and birth month',
  description:
    'Compares the name and the month and year of birth with the register’s disqualified people. Without a published birth month ' +
    'nothing is checked, because a name alone proves nothing. It takes up to nine requests of the register’s budget. The operator ' +
    'can switch this off; then it is 404.',
  tag: 'Register',
  accepts: ['session', 'key'],
  params,
  answers: { 200: { description: 'The result.', schema: CheckBody } },
  errors: ['not_found'],
})
