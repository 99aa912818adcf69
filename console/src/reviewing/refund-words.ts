import type { Dispute } from '../api/bodies.ts'

type RefundStatus = NonNullable<Dispute['refund_status']>

const WORDS: Record<RefundStatus, string> = {
  refunded: 'We refunded the credit.',
  checking: 'We are reading the site again. Then we decide on the refund.',
  waiting: 'Our staff will decide on the refund.',
  refused: 'The refund was refused.',
  withdrawn: 'The dispute was withdrawn.',
}

/** Describes the refund of a disputed match; empty where there was nothing to refund. */
export function describeRefund(status: RefundStatus | null | undefined): string {
  return status ? WORDS[status] : ''
}
