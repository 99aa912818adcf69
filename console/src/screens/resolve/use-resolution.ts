import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAccount } from '../../account.ts'
import type { PendingJob, Resolution } from '../../api/bodies.ts'
import { ApiProblem, callApi, newIdempotencyKey } from '../../api/client.ts'
import { addRecent } from './recents.ts'

export type Asking =
  | { kind: 'idle' }
  | { kind: 'working'; domain: string; job: PendingJob | null; startedAt: number }
  | { kind: 'answered'; resolution: Resolution }
  | { kind: 'failed'; domain: string; error: unknown }

const POLL_MS = 700
/** Reading a site takes at most 20 s. After this time we stop polling and ask the person to try again later. */
const PATIENCE_MS = 120_000

/** Resolves a domain and polls until there is an answer. A newer request replaces an older one. */
export function useResolution() {
  const [asking, setAsking] = useState<Asking>({ kind: 'idle' })
  const question = useRef<AbortController>(null)
  const queries = useQueryClient()
  const accountId = useAccount().data?.account_id
  useEffect(() => () => question.current?.abort(), [])

  const ask = useCallback(
    async (domain: string, options: AskOptions = {}) => {
      question.current?.abort()
      const current = new AbortController()
      question.current = current
      const update = (next: Asking) => current.signal.aborted || setAsking(next)
      const startedAt = Date.now()
      update({ kind: 'working', domain, job: null, startedAt })
      try {
        const resolution = await resolve({ domain, ...options }, current.signal, (job) =>
          update({ kind: 'working', domain, job, startedAt }),
        )
        if (!current.signal.aborted && accountId) addRecent(accountId, resolution)
        update({ kind: 'answered', resolution })
      } catch (error) {
        update({ kind: 'failed', domain, error })
      }
      await queries.invalidateQueries({ queryKey: ['account'] })
    },
    [queries, accountId],
  )
  return { asking, ask }
}

interface AskOptions {
  /** Reads the site again instead of using a stored answer. */
  isFresh?: boolean
}

async function resolve(
  { domain, isFresh = false }: AskOptions & { domain: string },
  signal: AbortSignal,
  onJob: (job: PendingJob) => void,
): Promise<Resolution> {
  const first = await post(isFresh ? { domain, max_age_days: 0 } : { domain }, signal)
  if (first.status === 'completed') return first
  onJob(first)
  return follow(first, signal, onJob)
}

function post(body: { domain: string; max_age_days?: number }, signal: AbortSignal): Promise<Resolution | PendingJob> {
  const headers = { 'idempotency-key': newIdempotencyKey() }
  return callApi('POST', '/v1/resolve/domain', { body, headers, signal })
}

async function follow(job: PendingJob, signal: AbortSignal, onJob: (job: PendingJob) => void): Promise<Resolution> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const now = await callApi<PendingJob | Resolution>('GET', job.status_url, { signal })
    if (now.status === 'completed') return now
    if (now.status === 'failed') throw new ApiProblem(0, { detail: now.error_message ?? 'We could not finish this.' })
    onJob(now)
  }
  throw new ApiProblem(0, {
    detail: 'This is taking longer than usual. Nothing is lost: try the same domain again later.',
  })
}
