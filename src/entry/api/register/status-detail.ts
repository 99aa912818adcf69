import { MaybeText } from '../../http/page.ts'

/** The members that stand beside `company_status` in every summary of a company. */
export const StatusDetail = {
  company_status_detail: MaybeText.optional().describe(
    'What the register adds to the status, such as `active-proposal-to-strike-off`.',
  ),
  company_status_text: MaybeText.optional().describe('Status and detail in words: `Active — proposal to strike off`.'),
}
