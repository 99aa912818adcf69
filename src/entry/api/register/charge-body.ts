import { z } from 'zod'
import { CalendarDate, inWords, MaybeText } from '../../http/page.ts'

const date = CalendarDate.nullable()

export const Charge = z
  .object({
    charge_code: MaybeText,
    status: MaybeText,
    status_text: inWords('status'),
    created_on: date,
    delivered_on: date,
    satisfied_on: date,
    description: MaybeText,
    persons_entitled: z.array(z.string()),
    particulars: z
      .object({
        type: MaybeText,
        type_text: inWords('type'),
        description: MaybeText,
        flags: z.array(z.string()),
        flags_text: z.array(z.string()).describe('`flags` in words, in the same order.'),
      })
      .nullable()
      .describe('What the charge is over, and whether it is fixed or floating. Texts are cut at 2,000 characters.'),
    secured_details: z
      .object({ type: MaybeText, type_text: inWords('type'), description: MaybeText })
      .nullable()
      .describe('The debt behind it, in charges of before 2013.'),
    assets_ceased_released: MaybeText.describe('What has been released from the charge, or no longer belongs to it.'),
    assets_ceased_released_text: inWords('assets_ceased_released'),
  })
  .meta({ id: 'Charge' })
