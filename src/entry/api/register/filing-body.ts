import { z } from 'zod'
import { CalendarDate, inWords, MaybeText } from '../../http/page.ts'

const date = CalendarDate.nullable()

export const Filing = z
  .object({
    transaction_id: MaybeText,
    type: MaybeText,
    category: MaybeText,
    category_text: inWords('category'),
    subcategories: z.array(z.string()),
    description: MaybeText,
    description_text: z.string().describe('The filing as a sentence, with its names, numbers and dates.'),
    details_text: z
      .array(z.string())
      .describe('Amounts of capital, and resolutions, notes and forms that were filed with it.'),
    date,
    action_date: date,
    document_url: MaybeText.describe('The document on the register’s own site; null until it is published there.'),
  })
  .meta({ id: 'Filing' })
