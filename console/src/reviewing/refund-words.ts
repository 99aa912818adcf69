import type { Dispute } from '../api/bodies.ts'

type RefundStatus = NonNullable<Dispute['refund_status']>

const WORDS: Record<RefundStatus, string> = {
  refunded: 'The credit came back.',
  checking: 'The site is read again, and then the refund is decided.',
  waiting: 'Our staff decide on the refund.',
  refused: 'The refund was refused.',
  withdrawn: 'The dispute was taken back.',
}

/** What became of the credit of a disputed match; empty where there was none to give back. */
export function sayRefund(status: RefundStatus | null | undefined): string {
  return status ? WORDS[status] : ''
}
