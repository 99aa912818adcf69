import { addDaysToDate } from '../../lib/clock.ts'
import { parseAmount } from './amount.ts'
import type { FigureName, Figures } from './concepts.ts'
import type { Context, FactReferences } from './fact-references.ts'
import type { Fact } from './facts.ts'

export interface Period extends Figures {
  period_end: string
  /** True for the year before, which accounts repeat beside their own figures. */
  is_comparative: boolean
}

const EMPLOYEES_MAX = 10_000_000

interface Stated {
  end: string
  figure: FigureName | 'is_dormant'
  value: number | boolean
  /** The lowest counts. */
  rank: number
}

/**
 * Returns the figures of the accounts' own period, and of the period before where they are repeated. `madeUpTo` is the day
 * of the accounts as the register has it; without it, their own period is the one that ends last. Accounts of which only
 * the year before has figures have no period of their own.
 */
export function readPeriods(facts: readonly Fact[], references: FactReferences, madeUpTo: string | null): Period[] {
  const stated = facts.flatMap((fact) => toStated(fact, references) ?? [])
  const ends = [...new Set(stated.map(({ end }) => end))].sort()
  const current = findCurrentEnd(ends, madeUpTo)
  if (current === undefined) return []
  if (madeUpTo !== null && current < addDaysToDate(madeUpTo, -MADE_UP_DAYS)) {
    return [toPeriod(stated, { end: current, isComparative: true })]
  }
  const prior = findPriorEnd(current, ends, [...references.contexts.values()])
  const periods = [toPeriod(stated, { end: current, isComparative: false })]
  if (prior !== undefined) periods.push(toPeriod(stated, { end: prior, isComparative: true }))
  return periods
}

/** Companies may make accounts up to a day near the one that the register expects. */
const MADE_UP_DAYS = 7

function findCurrentEnd(ends: readonly string[], madeUpTo: string | null): string | undefined {
  if (madeUpTo === null) return ends.at(-1)
  if (ends.includes(madeUpTo)) return madeUpTo
  const [from, until] = [addDaysToDate(madeUpTo, -MADE_UP_DAYS), addDaysToDate(madeUpTo, MADE_UP_DAYS)]
  return ends.findLast((end) => end >= from && end <= until) ?? ends.at(-1)
}

/** The period before ends on the day before the current one starts; a balance of that first morning is no period. */
function findPriorEnd(current: string, ends: readonly string[], contexts: readonly Context[]): string | undefined {
  const starts = contexts.flatMap(({ start, end }) => (start !== null && end === current && start < end ? start : []))
  const start = starts.reduce<string | null>((first, one) => (first === null || one < first ? one : first), null)
  if (start === null) return ends.findLast((end) => end < current)
  const dayBefore = addDaysToDate(start, -1)
  return ends.includes(dayBefore) ? dayBefore : ends.findLast((end) => end < start)
}

function toPeriod(stated: readonly Stated[], { end, isComparative }: { end: string; isComparative: boolean }): Period {
  const period: Period = {
    period_end: end,
    is_comparative: isComparative,
    employees: null,
    net_assets: null,
    current_assets: null,
    creditors: null,
    cash: null,
    turnover: null,
    is_dormant: null,
  }
  const ranks = new Map<string, number>()
  for (const { end: of, figure, value, rank } of stated) {
    // Of two with the same rank the first in the document counts: the balance sheet comes before the notes.
    if (of !== end || rank >= (ranks.get(figure) ?? Number.POSITIVE_INFINITY)) continue
    ranks.set(figure, rank)
    Object.assign(period, { [figure]: value })
  }
  return period
}

function toStated(fact: Fact, { contexts, units }: FactReferences): Stated | null {
  const context = contexts.get(fact.contextId)
  const { concept } = fact
  if (!context || concept.kind === 'number') return null
  const { end } = context
  if (concept.kind === 'dormant') {
    const isTrue = parseTruth(fact)
    if (isTrue === null || context.members.length > 0) return null
    return { end, figure: 'is_dormant', value: isTrue === concept.whenTrue, rank: 0 }
  }
  const rank = rankIn(context, concept)
  const value = parseAmount(fact.text, fact)
  if (rank === null || value === null) return null
  if (concept.figure === 'employees')
    return value >= 0 && value <= EMPLOYEES_MAX ? { end, figure: 'employees', value, rank } : null
  // Accounts in another currency have no pounds to state. A unit that is not declared counts if its name says so.
  const unit = units.get(fact.unitId) ?? fact.unitId
  return unit === '' || /GBP/i.test(unit) ? { end, figure: concept.figure, value, rank } : null
}

/**
 * Returns how well a fact states the figure of the whole company: null when a dimension narrows it to a part, such as a
 * class of assets or one director. Creditors are the exception, as small accounts tag them by maturity only: the total
 * counts if there is one, otherwise what is due within one year, which is the line of the balance sheet. What is due after
 * more than one year is never taken for it, nor added.
 */
function rankIn({ members }: Context, { figure, rank }: { figure: FigureName; rank: number }): number | null {
  if (members.length === 0) return rank
  return figure === 'creditors' && members.length === 1 && members[0] === 'WithinOneYear' ? RANK_NARROWED : null
}

const RANK_NARROWED = 100
const TRUE_FORMATS = new Set(['fixed-true', 'fixedtrue', 'booleantrue', 'boolean-true'])
const FALSE_FORMATS = new Set(['fixed-false', 'fixedfalse', 'booleanfalse', 'boolean-false'])

function parseTruth({ format, text }: Fact): boolean | null {
  if (TRUE_FORMATS.has(format)) return true
  if (FALSE_FORMATS.has(format)) return false
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : null
}
