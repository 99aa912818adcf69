import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Bulk, Reviews } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { plural } from '../../ui/words.ts'

/** Leads to the open reviews of the job's domains. Rows with a name or number have none: they are decided in the table. */
export function DeskLink({ bulk }: { bulk: Bulk }) {
  const { id, counts } = bulk
  const { data: open = 0 } = useQuery({
    queryKey: ['reviews', 'of-bulk', id, counts.needs_review],
    enabled: counts.needs_review > 0,
    queryFn: ({ signal }) => countOpen(id, signal),
    placeholderData: keepPreviousData,
  })
  if (counts.needs_review === 0 || open === 0) return null
  return (
    <p className="small">
      <Link href={`/review?${new URLSearchParams({ bulk_id: id })}`}>Review {plural(open, 'domain')} at the desk</Link>
    </p>
  )
}

async function countOpen(bulkId: string, signal: AbortSignal): Promise<number> {
  const query = { status: 'open', bulk_id: bulkId, limit: 1 }
  return (await callApi<Reviews>('GET', '/v1/reviews', { query, signal })).counts.total
}
