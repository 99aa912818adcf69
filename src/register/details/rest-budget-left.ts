import type { App } from '../../app.ts'
import { LIMIT_DEFAULT, SLOT_MS, WINDOW_MS } from './rest-budget.ts'

export interface RestBudgetLeft {
  limit: number
  left: number
  window_seconds: number
}

/** What is left of the budget at this moment, for whoever watches; asking takes nothing. */
export async function readRestBudget({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<RestBudgetLeft> {
  const [row] = await db.query<{ slot: number; granted: number[]; limit_told: number | null; paused_until: Date }>(
    `select slot, granted, limit_told, greatest(paused_until, '1970-01-01') as paused_until from register_rest_budget`,
  )
  const limit = row?.limit_told ?? LIMIT_DEFAULT
  const now = clock.now()
  const oldestSlot = Math.floor(now.getTime() / SLOT_MS) - WINDOW_MS / SLOT_MS
  const granted = row?.granted ?? []
  const used = granted
    .filter((_, index) => (row?.slot ?? 0) - granted.length + 1 + index > oldestSlot)
    .reduce((sum, count) => sum + count, 0)
  const left = row && row.paused_until > now ? 0 : Math.max(0, limit - used)
  return { limit, left, window_seconds: WINDOW_MS / 1_000 }
}
