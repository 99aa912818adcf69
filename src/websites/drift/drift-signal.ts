import { toLondonDate } from '../../lib/clock.ts'
import type { WebsiteCheck } from '../../resolution/index.ts'
import { keyOfFact, type NewSignal } from '../../signals/index.ts'
import { type Observation, wordOf } from './observation.ts'

/** An observation that raises a signal. */
export type Change = Exclude<Observation, { kind: 'same' | 'unread' }>

type Words = Pick<NewSignal, 'severity' | 'summary' | 'changes'>

export function toWebsiteSignal(
  check: WebsiteCheck,
  change: Change,
  { companyName, at }: { companyName: string; at: Date },
): NewSignal {
  // The time of the previous check is part of the key: the same change may come again once the site has been well.
  const { key, leavingKey } = keyOfFact(check.domain, wordOf(change), String(check.checkedAt.getTime()))
  return {
    company_number: check.companyNumber,
    company_name: companyName,
    signal_type: 'website_changed',
    ...describe(check, change, `The web site of ${companyName}, ${check.domain},`),
    occurred_on: toLondonDate(at),
    source_kind: 'website',
    source_reference: check.domain,
    key,
    leaving_key: leavingKey,
  }
}

function describe({ companyNumber, domain, state }: WebsiteCheck, change: Change, site: string): Words {
  const from = state === 'same' ? 'verified' : (state.split(':')[0] ?? state)
  const status = (to: string) => [{ field: 'website_status', from, to }]
  const company = (to: string | null) => ({ field: 'website_company', from: companyNumber, to })
  switch (change.kind) {
    case 'moved':
      return {
        severity: change.isProven ? 'info' : 'notice',
        summary: change.isProven
          ? `${site} moved to ${change.to}, which names the same company.`
          : `${site} now leads to ${change.to}, which does not prove to be the company’s.`,
        changes: [{ field: 'website', from: domain, to: change.to }],
      }
    case 'other_company':
      return {
        severity: 'warning',
        summary: `${site} now ${change.to === null ? '' : `leads to ${change.to} and `}names another company, ${change.name} (${change.number}).`,
        changes: [
          company(change.number),
          ...(change.to === null ? [] : [{ field: 'website', from: domain, to: change.to }]),
        ],
      }
    case 'parked':
      return {
        severity: 'warning',
        summary: `${site} is parked: it shows a placeholder or offers the domain for sale.`,
        changes: status('parked'),
      }
    case 'gone':
      return {
        severity: 'warning',
        summary: `${site} is gone: the domain does not exist any more.`,
        changes: status('gone'),
      }
    case 'unnamed':
      return {
        severity: 'notice',
        summary: `${site} does not name the company any more.`,
        changes: [company(null)],
      }
  }
}
