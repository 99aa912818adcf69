import type { NewSignal } from '../src/signals/index.ts'

/** Returns a signal that a company goes into liquidation; `key` identifies it. */
export function syntheticSignal(companyNumber: string, key: string): NewSignal {
  const name = `COMPANY ${companyNumber} LIMITED`
  return {
    companyNumber,
    companyName: name,
    signalType: 'status_changed',
    severity: 'warning',
    summary: `${name} went from active to liquidation.`,
    occurredOn: '2026-11-15',
    changes: [{ field: 'company_status', from: 'active', to: 'liquidation' }],
    sourceKind: 'stream',
    sourceReference: key,
    dedupe: { key, leavingKey: null },
  }
}
