import { useEffect, useState } from 'react'
import type { PendingJob } from '../../api/bodies.ts'

const STEPS = [
  ['queued', 'Queued'],
  ['reading', 'Reading the site'],
  ['deciding', 'Comparing with the register'],
] as const

/** Shows the progress that the job reports. */
export function Working({ domain, job, startedAt }: { domain: string; job: PendingJob | null; startedAt: number }) {
  const seconds = useSeconds(startedAt)
  const step = job?.progress?.step ?? (job?.status === 'processing' ? 'reading' : 'queued')
  const at = STEPS.findIndex(([name]) => name === step)
  const pages = job?.progress?.pages ?? []
  return (
    <section className="card working" aria-busy="true">
      <header>
        <h2>{domain}</h2>
        <p>{seconds} s</p>
      </header>
      <p className="visually-hidden" role="status">
        {STEPS[at]?.[1]}
      </p>
      <ol className="steps">
        {STEPS.map(([name, says], index) => (
          <li key={name} data-state={index < at ? 'done' : index === at ? 'now' : 'later'}>
            {says}
            {name === 'reading' && pages.length > 0 && (
              <ul className="pages">
                {pages.map(({ url, status }) => (
                  <li key={url}>
                    <code>{pathOf(url)}</code> <span className="soft">{status}</span>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function pathOf(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : pathname
}

function useSeconds(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((now - since) / 1_000))
}
