import { z } from 'zod'
import { MaybeText } from '../../http/page.ts'

/** The members beside `company_status` in every summary of a company. */
export const StatusDetail = {
  company_status_detail: MaybeText.optional().describe(
    'What the register adds to the status, such as `active-proposal-to-strike-off`.',
  ),
  company_status_text: MaybeText.optional().describe('Status and detail in words: `Active — proposal to strike off`.'),
}

/** The words beside codes in every summary of a company. */
export const CodesInWords = {
  company_type_text: z.string().optional().describe('`company_type` in words.'),
  sic_codes_text: z
    .array(MaybeText)
    .optional()
    .describe('The names of `sic_codes`, in the same order; null for a code that no list has.'),
}
