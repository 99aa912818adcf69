import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BulkDecisions, BulkRow } from '../../../api/bodies.ts'
import { ApiProblem, callApi, newIdempotencyKey } from '../../../api/client.ts'
import { type Seen, toAgain } from '../../../reviewing/replaced.ts'
import { keyOfBulk } from '../bulk-jobs.ts'
import { ROWS_OF } from './rows.ts'

export type Action = 'accept' | 'reject' | 'reassign' | 'withdraw'

type RowDone = BulkDecisions['rows'][number]

/** A row with the decision that the screen showed when it was selected. */
export interface Selected {
  row: number
  seen: Seen
  /** The value that we used. */
  input: string
  /** The company that the row gets where it is accepted; null where it has no candidate. */
  best: { number: string; name: string } | null
  /** It was selected by a button, and perhaps never on the screen. */
  isUnseen?: true
}

export function toSelected({ row, input, decision, candidates: [best] }: BulkRow): Selected {
  return {
    row,
    input,
    best: best ? { number: best.company_number, name: best.company_name } : null,
    seen: decision && { action: decision.action, company_number: decision.company_number ?? null },
  }
}

/** A row that a decision changed, with the decision that it had before and the one that it got. */
export interface Changed {
  row: number
  replaced: NonNullable<RowDone['replaced']> | null
  made: Seen
}

/** One decision on many rows, or what undoes one. */
export type Decide = { action: Action; rows: Selected[]; companyNumber?: string } | { action: 'undo'; rows: Changed[] }

/** The result for the rows. Those that were so before are no part of an undo. */
export interface Decided {
  action: Decide['action']
  changed: Changed[]
  unchanged: number
  refused: Array<{ row: number; message: string }>
  /** The same decision on the rows that were not reached; null where all were. */
  rest: Decide | null
  /** Why they were not reached; null where the person stopped. */
  problem: unknown
}

/**
 * Returns the rows that one click puts back: of an undo those that it did not reach. A dispute is made again only by itself.
 */
export function listUndoable({ action, changed, rest }: Decided): Changed[] {
  if (action === 'undo') return rest?.action === 'undo' ? rest.rows : []
  return action === 'withdraw' ? [] : changed.filter(({ replaced }) => replaced?.action !== 'dispute')
}

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
      const result: Decided = {
        action: decide.action,
        changed: [],
        unchanged: 0,
        refused: [],
        rest: null,
        problem: null,
      }
      for (let at = 0; at < verdicts.length; at += CHUNK_ROWS) {
        if (isStopped.current) return { ...result, rest: skip(decide, at) }
        const chunk = verdicts.slice(at, at + CHUNK_ROWS)
        try {
          for (const done of (await sendChunk(bulkId, chunk)).rows) addRow(result, done)
        } catch (problem) {
          // What was decided before is no failure: it is shown, and can be undone.
          if (at === 0) throw problem
          return { ...result, rest: skip(decide, at), problem }
        }
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

function skip(decide: Decide, count: number): Decide {
  return decide.action === 'undo'
    ? { ...decide, rows: decide.rows.slice(count) }
    : { ...decide, rows: decide.rows.slice(count) }
}

function addRow(result: Decided, done: RowDone): void {
  const { action } = result
  const { row, ok, message, changed = false, company_number: number = null, replaced = null } = done
  const made = action === 'withdraw' || action === 'undo' ? null : { action, company_number: number }
  if (!ok) result.refused.push({ row, message: message ?? 'This row cannot be decided.' })
  else if (changed) result.changed.push({ row, replaced, made })
  else result.unchanged += 1
}

interface Verdict {
  row: number
  /** A decision that another person made since then stays. */
  seen_decision: Seen
  action: string
  company_number?: string
  reviewer?: string
  reason?: string
}

function toVerdicts(decide: Decide): Verdict[] {
  if (decide.action === 'undo') return decide.rows.map(toUndo)
  const { action, companyNumber } = decide
  const number = companyNumber === undefined ? {} : { company_number: companyNumber }
  return decide.rows.map(({ row, seen }) => ({ row, action, ...number, seen_decision: seen }))
}

/** Puts the decision back that the row had; without one, the row needs review again. */
function toUndo({ row, replaced, made }: Changed): Verdict {
  const again = replaced === null ? { action: 'withdraw' } : toAgain(replaced)
  return { row, ...again, seen_decision: made }
}

async function sendChunk(bulkId: string, rows: Verdict[]): Promise<BulkDecisions> {
  // A chunk whose response was lost gets the first response again: it says what changed.
  const headers = { 'idempotency-key': newIdempotencyKey() }
  const path = `/v1/bulk/${encodeURIComponent(bulkId)}/decisions`
  for (let tries = 1; ; tries += 1) {
    try {
      return await callApi<BulkDecisions>('POST', path, { body: { rows }, headers })
    } catch (error) {
      if (tries >= TRIES_MAX || !(error instanceof ApiProblem) || !error.isRetryable) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries))
    }
  }
}
