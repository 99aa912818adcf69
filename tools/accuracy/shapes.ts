/**
 * Figures per shape. The sites of a stratum are variations of one page and are right or wrong together, so a hundred of them
 * prove little more than one. Pure.
 */
import { Random } from '../../rig/random.ts'
import { quantile, sum } from '../../rig/statistics.ts'
import { share } from './proportion.ts'
import { type Counts, countAnswers, RATES, type Rate, type Rates, type ScoredAnswer, toRates } from './scoring.ts'

/** The bounds of 95 % of the resamples. */
export type Interval = readonly [low: number, high: number]

export interface ShapeScore {
  shapes: number
  /** Number of shapes of which every site is right. */
  right: number
  withWrongMatch: number
  rightShare: number | null
  /** The mean of the shapes' own rates: every shape counts the same, however many sites it has. */
  means: Rates
  intervals: {
    sites: Record<Rate, Interval | null>
    shapes: Record<Rate | 'rightShare', Interval | null>
  }
}

interface Shape {
  counts: Counts
  rates: Rates
}

export function scoreShapes(scoredAnswers: readonly ScoredAnswer[]): ShapeScore {
  const byStratum = Map.groupBy(scoredAnswers, ({ label }) => label.stratum)
  const shapes = [...byStratum.values()].map(countAnswers).map((counts) => ({ counts, rates: toRates(counts) }))
  return {
    shapes: shapes.length,
    right: shapes.filter(isRight).length,
    withWrongMatch: shapes.filter(({ counts }) => counts.rightMatches < counts.matches).length,
    rightShare: rightShare(shapes),
    means: toMeans(shapes),
    intervals: {
      sites: bootstrap(shapes, (sample) => toRates(addCounts(sample))),
      shapes: bootstrap(shapes, (sample) => ({ ...toMeans(sample), rightShare: rightShare(sample) })),
    },
  }
}

const isRight = ({ counts }: Shape): boolean => counts.right === counts.sites

const rightShare = (shapes: readonly Shape[]) => share(shapes.filter(isRight).length, shapes.length)

/** A shape without matches has no precision, and is left out of its mean. */
function toMeans(shapes: readonly Shape[]): Rates {
  const mean = (rate: Rate) => {
    const values = shapes.map(({ rates }) => rates[rate]).filter((value) => value !== null)
    return share(sum(values), values.length)
  }
  return toRecord(RATES, mean)
}

const COUNTS = Object.keys(countAnswers([])) as Array<keyof Counts>

function addCounts(shapes: readonly Shape[]): Counts {
  return toRecord(COUNTS, (count) => sum(shapes.map(({ counts }) => counts[count])))
}

const RESAMPLES = 1_000
/** Fixed, so that the same answers give the same intervals. */
const SEED = 18

/**
 * Returns the interval of each figure when the items are drawn again, as many and with repetition. It is null where no
 * resample has the figure.
 */
export function bootstrap<Item, Name extends string>(
  items: readonly Item[],
  compute: (sample: readonly Item[]) => Record<Name, number | null>,
): Record<Name, Interval | null> {
  const random = new Random(SEED)
  const samples = Array.from({ length: RESAMPLES }, () => compute(items.map(() => random.pick(items))))
  return toRecord(Object.keys(compute(items)) as Name[], (name) =>
    toInterval(samples.map((sample) => sample[name]).filter((value) => value !== null)),
  )
}

function toInterval(values: readonly number[]): Interval | null {
  return values.length === 0 ? null : [quantile(values, 0.025), quantile(values, 0.975)]
}

function toRecord<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>
}
