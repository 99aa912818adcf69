import { z } from 'zod'

/** The members that stand beside `company_status` in every summary of a company. */
export const StatusDetail = {
  company_status_detail: z
    .string()
    .nullable()
    .optional()
    .describe('What the register adds to the status, such as `active-proposal-to-strike-off`.'),
  company_status_text: z
    .string()
    .nullable()
    .optional()
    .describe('Status and detail in words: `Active — proposal to strike off`.'),
}
