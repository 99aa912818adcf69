import { z } from 'zod'
import { CalendarDate, inWords } from '../../http/page.ts'

const text = z.string().nullable()
const date = CalendarDate.nullable()

/** The facts of a company that are computed from the register when they are read. */
export const DerivedFacts = z
  .object({
    accounts_type: text,
    accounts_type_text: inWords('accounts_type'),
    accounts_next_due: date,
    accounts_overdue: z.boolean().nullable().describe('From the day after the due date.'),
    accounts_days_until_due: z.int().nullable().describe('Negative when overdue.'),
    confirmation_next_due: date,
    confirmation_overdue: z.boolean().nullable(),
    confirmation_days_until_due: z.int().nullable(),
    has_insolvency_history: z.boolean().nullable(),
    current_insolvency_status: text,
    current_insolvency_status_text: inWords('current_insolvency_status'),
    has_active_charges: z.boolean().nullable(),
    last_charge_date: date,
    days_since_last_charge: z.int().nullable(),
    recent_director_resignation: z.boolean().nullable().describe('In the last 12 months.'),
    last_director_change_date: date,
    days_since_last_director_change: z.int().nullable(),
    recent_resignations: z
      .array(
        z.object({ name: text, role: text, role_text: inWords('role'), resigned_on: CalendarDate, appointed_on: date }),
      )
      .describe(
        'Directors, and others who direct: members, general partners, managing officers. The last 12 months, newest first. Empty too when the officers are missing.',
      ),
  })
  .meta({ id: 'CompanyFacts', description: 'Computed for today in London. Null: not known, or no such date.' })
