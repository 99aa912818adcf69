import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Reviews } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'

const PAGES_MAX = 5
const PAGE_REVIEWS = 100

/** Leads to the review of a domain, or to the list where it is not among the first of it. */
export function ReviewLink(props: {
  domain: string
  status: 'open' | 'decided'
  look?: 'button'
  children: ReactNode
}) {
  const { domain, status, look, children } = props
  const { data: id } = useQuery({
    queryKey: ['reviews', 'of', domain, status],
    queryFn: ({ signal }) => findReview(domain, status, signal),
  })
  const list = status === 'open' ? '/review' : '/review?status=decided'
  return (
    <Link {...(look ? { className: 'button' } : {})} href={id ? `/review/${id}` : list}>
      {children}
    </Link>
  )
}

/** The API lists reviews and has no question for one domain. */
async function findReview(domain: string, status: string, signal: AbortSignal): Promise<string | null> {
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const query = { status, limit: PAGE_REVIEWS, cursor }
    const { data, next_cursor: next } = await callApi<Reviews>('GET', '/v1/reviews', { query, signal })
    const found = data.find((item) => item.domain === domain)
    if (found || next === null) return found?.id ?? null
    cursor = next
  }
  return null
}
