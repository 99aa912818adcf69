import type { ReadRecord } from './bundle.ts'
import { inWords } from './check-bundle.ts'

/** Returns what a person of the account decided, who, and when; null where no one did. */
export function describeFiledDecision({ decision }: Pick<ReadRecord, 'decision'>): string | null {
  if (!decision) return null
  const { company_number: number, disputed_company_number: disputed, reviewer, decided_at: at } = decision
  const what = number ? `it is company ${number}` : disputed ? `it is not company ${disputed}` : 'it is no candidate'
  return `A person decided: ${what}. ${reviewer}, ${inWords(at)}.`
}
