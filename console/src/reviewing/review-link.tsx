import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Reviews } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'

/** Links to the review of a domain, or to the list until the review is loaded. */
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

async function findReview(domain: string, status: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await callApi<Reviews>('GET', '/v1/reviews', { query: { status, domain }, signal })
  return data[0]?.id ?? null
}
