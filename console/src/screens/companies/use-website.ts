import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CompanyResolution, Website, WebsiteJob } from '../../api/bodies.ts'
import { ApiProblem, callApi, newIdempotencyKey } from '../../api/client.ts'

const POLL_MS = 1_000
/** A search reads several sites, which takes up to a minute. */
const PATIENCE_MS = 150_000

/** Searches for a company's own site and polls until the search ends. Starts only on request. */
export function useWebsite(companyNumber: string) {
  const queries = useQueryClient()
  const search = useRef<AbortController>(null)
  useEffect(() => () => search.current?.abort(), [])
  return useMutation({
    mutationFn: ({ refresh }: { refresh: boolean }) => {
      search.current?.abort()
      search.current = new AbortController()
      return findWebsite({ company_number: companyNumber, refresh }, search.current.signal)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['account'] }),
  })
}

async function findWebsite(body: { company_number: string; refresh: boolean }, signal: AbortSignal): Promise<Website> {
  const headers = { 'idempotency-key': newIdempotencyKey() }
  const { website } = await callApi<CompanyResolution>('POST', '/v1/resolve/company', { body, headers, signal })
  if (website.status !== 'searching' || website.status_url === null) return website
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && !signal.aborted) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const job = await callApi<WebsiteJob>('GET', website.status_url, { signal })
    if (job.status === 'failed') throw new ApiProblem(0, { detail: job.error_message ?? 'We could not finish this.' })
    if (job.status === 'completed') return job.website
  }
  throw new ApiProblem(0, { detail: 'This is taking longer than usual. Nothing is lost: try again later.' })
}
