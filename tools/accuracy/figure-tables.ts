/** The tables of figures that every form of the report shows: own names and strangers, sites and shapes, first runs. */
import type { FirstRun } from './first-runs.ts'
import type { Naming, Part } from './naming.ts'
import type { Report } from './report.ts'
import { RATES, type Rates } from './scoring.ts'
import type { Interval } from './shapes.ts'
import { percent } from './wording.ts'

export interface FigureTable {
  title: string
  explanation: string
  head: string[]
  rows: Array<Array<string | number>>
}

const RATE_HEADS = ['precision', 'recall', 'recall, only a match is right', 'accuracy']
const PART_NAMES: Record<Naming, string> = {
  own_name: 'own name',
  stranger: 'stranger',
  no_company: 'no company to compare',
}

export function listPartTables(report: Report): FigureTable[] {
  const parts = [...report.parts].filter(([, { figures }]) => figures.sites > 0)
  const whole = { figures: report.score.figures, shapes: report.shapes }
  const named: Array<readonly [string, Part]> = [
    ['all', whole],
    ...parts.map(([name, part]) => [PART_NAMES[name], part] as const),
  ]
  return [
    {
      title: 'Own names and strangers',
      explanation:
        'An own name is the name of the site, by its domain or brand; a stranger is a company of another name. In brackets: 95% intervals, from 1,000 resamples of whole shapes. There is none where resampling changes nothing, as without mistakes: then look at the lower bound of precision above.',
      head: ['company', 'sites', 'wrong matches', ...RATE_HEADS],
      rows: named.map(([name, { figures, shapes }]) => [
        name,
        figures.sites,
        figures.wrongMatches,
        ...rateCells(figures, shapes.intervals.sites),
      ]),
    },
    {
      title: 'By shape',
      explanation:
        'A shape is a kind of case, whose sites resemble each other. It is right if all its sites are. The rates are means over shapes, so each shape counts the same.',
      head: ['company', 'shapes', 'right', 'with a wrong match', 'share right', ...RATE_HEADS],
      rows: named.map(([name, { shapes }]) => [
        name,
        shapes.shapes,
        shapes.right,
        shapes.withWrongMatch,
        withInterval(shapes.rightShare, shapes.intervals.shapes.rightShare),
        ...rateCells(shapes.means, shapes.intervals.shapes),
      ]),
    },
  ]
}

export function toFirstRunsTable(runs: readonly FirstRun[]): FigureTable {
  return {
    title: 'On sites that the rules had not seen',
    explanation:
      'Each row is the first run on a set of sites, before anything was changed for them. In brackets: 95% intervals, by shape (resampled) or by site (Wilson’s).',
    head: ['date', 'world, and what is in it', 'sites', 'wrong matches', ...RATE_HEADS, 'intervals by'],
    rows: runs.map((run) => [
      run.date,
      `${run.world}: ${run.about}`,
      run.sites,
      run.wrong_matches,
      withInterval(run.precision, run.intervals.precision),
      withInterval(run.recall, run.intervals.recall),
      withInterval(run.recall_only_match, run.intervals.recall_only_match),
      withInterval(run.outcome_accuracy, run.intervals.outcome_accuracy),
      run.intervals_by,
    ]),
  }
}

function rateCells(rates: Rates, intervals: Record<keyof Rates, Interval | null>): string[] {
  return RATES.map((rate) => withInterval(rates[rate], intervals[rate]))
}

/** Leaves out an interval without width: it would look like certainty. */
function withInterval(value: number | null, interval: readonly number[] | null): string {
  const [low, high] = interval ?? []
  if (value === null || low === undefined || high === undefined || low === high) return percent(value)
  return `${percent(value)} (${(low * 100).toFixed(1)}–${percent(high)})`
}
