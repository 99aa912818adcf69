import { toLondonDate } from '../../lib/clock.ts'
import { keyOfFact, type NewSignal } from '../../signals/index.ts'
import type { WebsiteCheck } from './drift-step.ts'
import { type Sight, wordOf } from './observation.ts'

/** A sight that somebody can be told. */
export type Change = Exclude<Sight, { kind: 'same' | 'unread' }>

type Words = Pick<NewSignal, 'severity' | 'summary' | 'changes'>

export function toWebsiteSignal(
  check: WebsiteCheck,
  change: Change,
  told: { companyName: string; at: Date },
): NewSignal {
  // The look before makes it this change and no other: the same may come again once the site has been well.
  const { key, leavingKey } = keyOfFact(check.domain, wordOf(change), String(check.checkedAt.getTime()))
  return {
    company_number: check.companyNumber,
    company_name: told.companyName,
    signal_type: 'website_changed',
    ...say(check, change, `The web site of ${told.companyName}, ${check.domain},`),
    occurred_on: toLondonDate(told.at),
    source_kind: 'website',
    source_reference: check.domain,
    key,
    leaving_key: leavingKey,
  }
}

function say({ companyNumber, domain, state }: WebsiteCheck, change: Change, site: string): Words {
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
        summary: `${site} is parked: a placeholder or an offer of the domain stands where it was.`,
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
