/** A company's charges by what became of them, described or not. */
import type { Company } from './company.ts'

export function countCharges(company: Company) {
  const counts = { ...company.undescribedCharges }
  for (const charge of company.charges) {
    if (charge.status === 'outstanding') counts.outstanding += 1
    else if (charge.status === 'part-satisfied') counts.partSatisfied += 1
    else counts.satisfied += 1
  }
  return { ...counts, total: counts.outstanding + counts.partSatisfied + counts.satisfied }
}
