import { hideMailbox } from '../../resolver/index.ts'
import { type Charge, OWN_CHARGE } from '../money/charges.ts'
import { outcomeOf } from '../website/website-record.ts'
import type { JobReading } from './job-reading.ts'

/**
 * Returns a job without traces of its account's decisions in the charge: a disputed match shows its first charge, an
 * answer that the account's decision made free shows that of a repeat, and a closed one the charge of a failure.
 */
export function toShared(reading: JobReading): JobReading {
  const charge = sharedCharge(reading)
  const job = {
    ...reading.job,
    input: hideMailbox(reading.job.input),
    charged: charge.charged,
    chargeReason: charge.reason,
  }
  return { ...reading, job, charge }
}

function sharedCharge(reading: JobReading): Charge {
  const { charge } = reading
  const isClosed = reading.kind === 'open' && reading.job.status === 'failed'
  if (isClosed && OWN_AFFAIRS.has(charge.reason)) return { charged: false, reason: 'failed_free' }
  if (charge.reason === 'refunded') {
    return { charged: true, reason: reading.job.kind === 'company' ? 'verified' : 'matched' }
  }
  if (charge.reason !== OWN_CHARGE.reason) return charge
  const outcome = sharedOutcome(reading)
  return { charged: false, reason: COSTING.has(outcome) ? 'already_paid' : `${outcome}_free` }
}

const OWN_AFFAIRS = new Set(['refunded', OWN_CHARGE.reason])
const COSTING = new Set(['matched', 'verified'])

function sharedOutcome(reading: JobReading): string {
  switch (reading.kind) {
    case 'answered':
      return reading.known.outcome
    case 'website':
      return outcomeOf(reading.website.status)
    case 'test':
      return reading.answer.known.outcome
    case 'open':
      return 'failed'
  }
}
