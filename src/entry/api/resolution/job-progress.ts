import { z } from 'zod'
import type { Progress } from '../../../resolution/index.ts'
import { presentTime, Time } from '../../http/page.ts'

export const JobProgress = z
  .object({
    step: z.enum(['queued', 'reading', 'deciding']),
    pages: z.array(z.object({ url: z.string(), status: z.int() })).describe('What was fetched so far, at most ten.'),
    started_at: Time.nullable(),
  })
  .meta({ id: 'JobProgress', description: 'How far the site is read: to be shown to a person, not to be relied upon.' })

export function presentProgress({ step, pages, startedAt }: Progress): z.input<typeof JobProgress> {
  return { step, pages, started_at: startedAt && presentTime(startedAt) }
}
