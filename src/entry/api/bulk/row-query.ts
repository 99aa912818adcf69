import { z } from 'zod'
import { type RowFilter, STATES } from '../../../bulk/index.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The filter of rows, in a query string. */
export const RowFilterQuery = {
  state: z
    .string()
    .max(200)
    .transform((list) => list.split(',').filter((state) => state !== ''))
    .pipe(z.array(z.enum(STATES)))
    .optional()
    .describe('Only rows in these states, separated by commas.'),
  with_duplicates: z
    .stringbool()
    .optional()
    .describe(
      'With `state`: also the duplicates of rows in these states. Without it, duplicates are in `duplicate` alone.',
    ),
  confidence_from: z.coerce.number().min(0).max(1).optional(),
  confidence_to: z.coerce.number().min(0).max(1).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('In the row as sent, your own cells, or the company’s name or number.'),
}

const Filter = z.object(RowFilterQuery)

export function toRowFilter(query: z.output<typeof Filter>): RowFilter {
  const { state: states, with_duplicates: withDuplicates, q: text } = query
  return { states, withDuplicates, confidenceFrom: query.confidence_from, confidenceTo: query.confidence_to, text }
}
