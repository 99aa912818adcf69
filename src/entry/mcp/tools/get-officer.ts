import { z } from 'zod'
import { toLondonDate } from '../../../lib/clock.ts'
import {
  CHECK_RESULTS,
  type DisqualificationCheck,
  describeCheck,
  describeMissing,
  isInOffice,
  isOfficerId,
  MAY_BE_SEVERAL_PEOPLE,
  type OfficerRecord,
  ORDER_STATES,
} from '../../../register/index.ts'
import { checkOfficerFor, readOfficerFor } from '../../../resolution/index.ts'
import { defineTool, READS } from '../tool.ts'

const APPOINTMENTS_MAX = 25
const ORDERS_MAX = 5
const SAID_MAX = 5

const text = z.string().nullable()

const Officer = z.object({
  officer_id: z.string(),
  name: text,
  date_of_birth: z.object({ month: z.int().nullable(), year: z.int() }).nullable(),
  identity_note: z.string().describe('Say this to people: one record is not one person.'),
  appointments: z
    .array(
      z.object({
        company_number: text,
        company_name: text,
        company_status: text,
        role: text,
        appointed_on: text,
        resigned_on: text.describe('Null while in office.'),
      }),
    )
    .nullable()
    .describe(`The first ${APPOINTMENTS_MAX}, those in office first. Null when the register cannot be asked now.`),
  appointments_total: z.int().nullable(),
  missing: text.describe('Why some or all appointments are missing.'),
  missing_text: text.describe('`missing` in words.'),
  disqualification: z
    .object({
      result: z.enum(CHECK_RESULTS),
      says: z.string().describe('The result as a sentence.'),
      orders: z.array(
        z.object({
          name: z.string(),
          state: z.enum(ORDER_STATES),
          disqualified_from: text,
          disqualified_until: text,
          type: text,
          reason: text,
          register_url: z.string(),
        }),
      ),
    })
    .nullable()
    .describe('Null unless asked for.'),
})

type Officer = z.input<typeof Officer>

function presentOfficer(officer: OfficerRecord, check: DisqualificationCheck | null): Officer {
  return {
    officer_id: officer.officerId,
    name: officer.name,
    date_of_birth: officer.dateOfBirth,
    identity_note: MAY_BE_SEVERAL_PEOPLE,
    appointments:
      officer.appointments?.slice(0, APPOINTMENTS_MAX).map((each) => ({
        company_number: each.companyNumber,
        company_name: each.companyName,
        company_status: each.companyStatusText,
        role: each.roleText,
        appointed_on: each.appointedOn ?? (each.appointedBefore && `before ${each.appointedBefore}`),
        resigned_on: each.resignedOn,
      })) ?? null,
    appointments_total: officer.total,
    missing: officer.missing?.reason ?? null,
    missing_text: officer.missing && describeMissing(officer.missing.reason),
    disqualification: check && presentCheck(check),
  }
}

function presentCheck(check: DisqualificationCheck): NonNullable<Officer['disqualification']> {
  const orders = check.orders.slice(0, ORDERS_MAX).map((order) => ({
    name: order.name,
    state: order.state,
    disqualified_from: order.from,
    disqualified_until: order.until,
    type: order.typeText,
    reason: order.reasonText,
    register_url: order.registerUrl,
  }))
  return { result: check.result, says: describeCheck(check), orders }
}

function formatOfficer(officer: Officer, today: string): string {
  const { name, appointments, appointments_total: total, disqualification } = officer
  const inOffice = appointments?.filter((appointment) => isInOffice(appointment, today)) ?? []
  const named = inOffice
    .slice(0, SAID_MAX)
    .map(({ company_name: company, company_number: number, role }) => `${role} of ${company} (${number})`)
  const lines = [
    total !== null && `${name} has ${total} ${total === 1 ? 'appointment' : 'appointments'} on the register.`,
    named.length > 0 && `In office: ${named.join('; ')}${inOffice.length > named.length ? ' and others' : ''}.`,
    officer.missing_text && `Appointments are not available now: ${officer.missing_text}.`,
    disqualification?.says,
    officer.identity_note,
  ]
  return lines.filter(Boolean).join('\n')
}

export const getOfficer = defineTool({
  name: 'get_officer',
  title: 'Which other appointments does this officer have?',
  description:
    'Which other appointments does this officer have, and is the person disqualified, that is banned from such roles? ' +
    'Every directorship of one officer, past and present, by officer_id. With check_disqualification it also compares name and ' +
    'birth month with the register of disqualified people; never by name alone. Free. ' +
    'Take the officer_id from get_company. ' +
    'A name alone is not enough.',
  input: z.object({
    officer_id: z
      .string()
      .max(40)
      .refine(isOfficerId, 'must be an officer_id from get_company')
      .describe('officer_id of an officer in get_company.'),
    check_disqualification: z.boolean().default(false).describe('Also look for orders; takes a few seconds more.'),
  }),
  output: Officer,
  hints: READS,
  answer: async (app, input, { agent }) => {
    const officer = await readOfficerFor(app, agent, input.officer_id)
    const check = input.check_disqualification ? await checkOfficerFor(app, agent, input.officer_id) : null
    const structured = presentOfficer(officer, check)
    return { structured, text: formatOfficer(structured, toLondonDate(app.clock.now())) }
  },
})
