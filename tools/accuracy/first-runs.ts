import data from '../../worlds/first-runs.json' with { type: 'json' }

/** The figures of the first run on a set of sites, under the names that `--json` gives them. What was not kept is null. */
export interface FirstRun {
  /** The day, or the month where the day was not kept. */
  date: string
  world: string
  about: string
  sites: number
  wrong_matches: number
  precision: number
  recall: number | null
  recall_only_match: number | null
  outcome_accuracy: number
  /** `shape`: resampled by shape. `site`: Wilson's, where only the counts were kept. */
  intervals_by: string
  intervals: Record<'precision' | 'recall' | 'recall_only_match' | 'outcome_accuracy', readonly number[] | null>
}

/** The latest first. */
export const FIRST_RUNS: readonly FirstRun[] = data
