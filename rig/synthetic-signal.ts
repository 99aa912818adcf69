import type { NewSignal } from '../src/signals/index.ts'

/** Returns a signal that a company goes into liquidation; `key` identifies it. */
export function syntheticSignal(companyNumber: string, key: string): NewSignal {
  const name = `COMPANY ${companyNumber} LIMITED`
  return {
    company_number: companyNumber,
    company_name: name,
    signal_type: 'status_changed',
    severity: 'warning',
    summary: `${name} went from active to liquidation.`,
    occurred_on: '2026-11-15',
    changes: [{ field: 'company_status', from: 'active', to: 'liquidation' }],
    source_kind: 'stream',
    source_reference: key,
    key,
    leaving_key: null,
  }
}
