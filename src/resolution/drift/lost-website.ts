import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { keyOfFact, type NewSignal, raiseSignals } from '../../signals/index.ts'
import { expireWebsite } from './drift-store.ts'

export interface LostWebsite {
  company: { number: string; name: string }
  domain: string
  /** The other domain that claims the company. */
  rival: string
  at: Date
}

/**
 * Reports that a domain is not believed to be the company's any more: the next request searches again, and the watchers of
 * the company get a signal where it was the verified one. Safe to run twice.
 */
export async function reportLostWebsite(app: Pick<App, 'jobs'>, tx: Tx, lost: LostWebsite): Promise<void> {
  const { company, domain, at } = lost
  await expireWebsite(tx, { companyNumber: company.number, domain }, at)
  const watched = await tx.query(
    `update website_check set state = 'contested', doubt = null
     where company_number = $1 and domain = $2 and state <> 'contested' returning company_number`,
    [company.number, domain],
  )
  if (watched.length > 0) await raiseSignals(app, tx, [toSignal(lost)], at)
}

function toSignal({ company, domain, rival, at }: LostWebsite): NewSignal {
  const { key, leavingKey } = keyOfFact(domain, 'contested', rival)
  return {
    company_number: company.number,
    company_name: company.name,
    signal_type: 'website_changed',
    severity: 'warning',
    summary: `Another site, ${rival}, claims ${company.name} too, so ${domain} is not verified any more.`,
    changes: [{ field: 'website_status', from: 'verified', to: 'contested' }],
    occurred_on: toLondonDate(at),
    source_kind: 'website',
    source_reference: domain,
    key,
    leaving_key: leavingKey,
  }
}
