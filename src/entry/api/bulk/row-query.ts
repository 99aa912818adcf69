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
  const { state: states, confidence_from: confidenceFrom, confidence_to: confidenceTo, q: text } = query
  return { states, confidenceFrom, confidenceTo, text }
}
