import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BulkDecisions } from '../../../api/bodies.ts'
import { ApiProblem, callApi } from '../../../api/client.ts'
import { toAgain } from '../../../reviewing/replaced.ts'
import { keyOfBulk } from '../bulk-jobs.ts'
import { ROWS_OF } from './rows.ts'

export type Action = 'accept' | 'reject' | 'reassign' | 'withdraw'

type RowDone = BulkDecisions['rows'][number]

/** A row that a decision changed, with the decision that it had before. */
export interface Changed {
  row: number
  replaced: NonNullable<RowDone['replaced']> | null
}

/** One decision on many rows, or what undoes one. */
export type Decide = { action: Action; rows: number[]; companyNumber?: string } | { action: 'undo'; rows: Changed[] }

/** The result for the rows. Those that were so before are no part of an undo. */
export interface Decided {
  action: Decide['action']
  changed: Changed[]
  unchanged: number
  refused: Array<{ row: number; message: string }>
  isStopped: boolean
}

/** Returns the rows that one click puts back. A dispute is made again only by itself. */
export const listUndoable = ({ changed }: Decided): Changed[] =>
  changed.filter(({ replaced }) => replaced?.action !== 'dispute')

/** As many as one request takes. */
const CHUNK_ROWS = 100
const TRIES_MAX = 5

/** Decides rows in chunks, one after the other, and says how far it is. What was decided before a failure stays. */
export function useDecideRows(bulkId: string, onDecided: (decided: Decided) => void) {
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const isStopped = useRef(false)
  const change = useMutation({
    mutationFn: async (decide: Decide): Promise<Decided> => {
      isStopped.current = false
      setDone(0)
      const verdicts = toVerdicts(decide)
      const result: Decided = { action: decide.action, changed: [], unchanged: 0, refused: [], isStopped: false }
      for (let at = 0; at < verdicts.length; at += CHUNK_ROWS) {
        if (isStopped.current) return { ...result, isStopped: true }
        const chunk = verdicts.slice(at, at + CHUNK_ROWS)
        for (const done of (await sendChunk(bulkId, chunk)).rows) addRow(result, done)
        setDone(at + chunk.length)
      }
      return result
    },
    onSuccess: onDecided,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries(ROWS_OF(bulkId)),
        queries.invalidateQueries({ queryKey: keyOfBulk(bulkId) }),
        queries.invalidateQueries({ queryKey: ['reviews'] }),
      ]),
  })
  return { ...change, sent: done, stop: () => void (isStopped.current = true) }
}

function addRow(result: Decided, { row, ok, message, changed = false, replaced = null }: RowDone): void {
  if (!ok) result.refused.push({ row, message: message ?? 'This row cannot be decided.' })
  else if (changed) result.changed.push({ row, replaced })
  else result.unchanged += 1
}

interface Verdict {
  row: number
  action: string
  company_number?: string
  reviewer?: string
  reason?: string
}

function toVerdicts(decide: Decide): Verdict[] {
  if (decide.action === 'undo') return decide.rows.map(toUndo)
  const { action, companyNumber } = decide
  const number = companyNumber === undefined ? {} : { company_number: companyNumber }
  return decide.rows.map((row) => ({ row, action, ...number }))
}

/** Puts the decision back that the row had; without one, the row needs review again. */
function toUndo({ row, replaced }: Changed): Verdict {
  return replaced === null ? { row, action: 'withdraw' } : { row, ...toAgain(replaced) }
}

async function sendChunk(bulkId: string, rows: Verdict[]): Promise<BulkDecisions> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await callApi<BulkDecisions>('POST', `/v1/bulk/${encodeURIComponent(bulkId)}/decisions`, {
        body: { rows },
      })
    } catch (error) {
      // A decision that is sent twice has its effect once.
      if (tries >= TRIES_MAX || !(error instanceof ApiProblem) || !error.isRetryable) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries))
    }
  }
}
